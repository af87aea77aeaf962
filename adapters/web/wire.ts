/** What travels between the page and its server, as JSON: the types that both share. */
import type { CommandSpec, CommandTraits } from "../../src/seam/fields.ts";
import type { MediaRef, StatementName, Values } from "../../src/seam/values.ts";
import type { FileView, Form, ResultView, View } from "../../src/seam/views.ts";
import type { Size } from "../../src/infrastructure/media/decoder/size.ts";
import type { ResultMedia } from "../../src/infrastructure/media/files/result-media.ts";
import type { ErrorCode, Params } from "../../src/common/errors.ts";
import type { Locale } from "../../src/common/i18n.ts";

/** A file in the data folder; the page reads it at `/web/media/<id>`. */
export interface UploadedFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
}

/** A finished picture or video. */
export interface StoredMedia extends UploadedFile, Pick<ResultMedia, "kind"> {
  /** Left out where it does not say: the page keeps its place free, so that no button moves under a finger. */
  readonly size?: Size;
  /** The file of a picture that stands for a film until it is loaded; left out where none could be made. */
  readonly poster?: string;
}

/** A finished job whose files are stored. */
export interface StoredResult extends Omit<ResultView, "media"> {
  readonly media: readonly StoredMedia[];
}

/** A file for the person, stored. */
export interface StoredFileView extends Omit<FileView, "file"> {
  readonly file: UploadedFile;
}

/** What Reelay says, as the conversation keeps it. */
export type StoredView = Exclude<View, ResultView | FileView> | StoredResult | StoredFileView;

/** What a person asked for. Secrets are left out. */
export interface PageRequest {
  readonly kind: "request";
  readonly command: string;
  readonly values: Values;
  /** The composer's name for what it held, by which it knows it again; other clients give none. */
  readonly draft?: string;
}

/** A question to the person; it goes when it is answered. */
interface FormBody {
  readonly kind: "form";
  readonly form: Form;
}

/** What is answered beside the conversation. */
export type AsideBody = StoredView | FormBody;

/** What a message of the conversation holds. */
export type PageMessageBody = StoredView | PageRequest | FormBody;

/** One message of the conversation. What belongs to a job has the job's id. */
export interface PageMessage {
  readonly id: string;
  readonly from: "person" | "reelay";
  /** When it was posted, in milliseconds since 1970. */
  readonly at: number;
  readonly body: PageMessageBody;
}

/** The events of `/web/events`: first the whole history, then each change. */
export interface ConversationEvents {
  readonly history: readonly PageMessage[];
  /** A message that is new, or that replaces the one with its id: in its place, unless it was posted anew. */
  readonly message: PageMessage;
  readonly removed: { readonly id: string };
}

/** What the page needs before it can show anything. */
export interface Session {
  /** Whose page it is, by their id. */
  readonly person: string;
  readonly locale: Locale;
  readonly sandbox: boolean;
  readonly commands: readonly CommandSpec[];
  /** The core's buttons by the command of their tokens, as far as there is something to know of them. */
  readonly buttons: Readonly<Record<string, CommandTraits>>;
  /** What the person stated that still stands. */
  readonly stated: readonly StatementName[];
  /** The host's own terms, where there are some. */
  readonly termsUrl?: string;
  /** The largest photo that may be uploaded, in bytes. */
  readonly maxPhotoBytes: number;
  /** Whether devices log in: then they can log out, too. */
  readonly login: boolean;
  /** Whether there is a page that sets Reelay up, for the one who asks. */
  readonly setup: boolean;
}

/** A device that is logged in. */
export interface DeviceSession {
  readonly id: string;
  /** Browser and system, such as "Firefox, Windows"; "" where they are not known. */
  readonly device: string;
  /** When it logged in, and when it was last used, to the minute; in milliseconds since 1970. */
  readonly since: number;
  readonly seen: number;
  /** Whether it is the one that asks. */
  readonly current: boolean;
}

/** The answer to an uploaded photo. */
export interface Uploaded {
  readonly media: MediaRef;
}

/** The ways into everybody's page beside the chats. */
export interface SignInWays {
  readonly discord: boolean;
}

/** A sign-in by Discord that was begun. */
export interface BegunByDiscord {
  /** Where Discord asks the person. */
  readonly address: string;
}

/** What only the web can refuse; each has a sentence under `page.refused.<code>`. */
export type RefusalCode =
  | "login_required"
  | "login_wrong"
  | "login_paused"
  /** Nobody is signed in on everybody's page. */
  | "sign_in_required"
  /** What is to prove who somebody is was not made here, or not for this bot; is too old; has opened a session already. */
  | "sign_in_forged"
  | "sign_in_stale"
  | "sign_in_used"
  /** Somebody did not let Discord say who they are; Discord, or what it knows of us, is not in order. */
  | "sign_in_declined"
  | "sign_in_unavailable"
  /** A file's name is a key, or looks like one. */
  | "key_in_name"
  | "foreign_origin"
  | "foreign_host"
  /** It came through a proxy, and no login protects the page. */
  | "forwarded";

/** What the page itself has to say, under the same keys. */
type PageCode =
  /** Whoever was in is not any more. */
  | "login_over"
  /** No answer came, and so nothing is known. */
  | "unreachable"
  /** The same on a page without a conversation: what was to be read is tried again by itself, or where it is pressed for; a change. */
  | "read_lost"
  | "asked_lost"
  | "change_lost"
  /** No answer came to a file that was sent. */
  | "upload_lost"
  /** None came to the question what something costs. */
  | "quote_lost"
  /** It was pressed before its price was there. */
  | "price_unseen"
  /** More files were given than there is room for. */
  | "no_place"
  /** The picture has changed, and what was marked in it went. */
  | "mask_lost"
  /** The browser cannot show this kind of picture. */
  | "unshowable";

/** Every answer that is not a success. */
export interface PageProblem {
  readonly code: ErrorCode | RefusalCode | PageCode;
  readonly params: Params;
  readonly field?: string;
}
