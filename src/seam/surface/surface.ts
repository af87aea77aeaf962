import type { Origin } from "../origin.ts";
import type { Readable } from "node:stream";
import type { Locale } from "../../common/i18n.ts";
import type { CommandSpec, CommandTraits, FieldSpec, Proposal, Quote, Suggestion } from "../fields.ts";
import type { Group } from "../access/groups.ts";
import type { JobAccess } from "../access/jobs.ts";
import type { OpenTransaction } from "../events.ts";
import type { KeyWatch } from "../access/keys.ts";
import type { PeopleDesk } from "../access/people-desk.ts";
import type {
  Address,
  ChatId,
  MediaRef,
  Platform,
  Receipt,
  StatementName,
  UserId,
  Values,
} from "../values.ts";
import type { Form, Problem, View } from "../views.ts";

/** What a platform can take. Data, so that the core needs no knowledge of any platform. */
export interface SurfaceLimits {
  /** The largest file it takes, in bytes. */
  readonly maxUploadBytes: number;
  /** Whether what was posted can be changed, and taken away. Where not, how far a job is is told only where that is something new. */
  readonly edit: "yes" | "no";
  /** The least time between two edits of one message, in milliseconds; where nothing can be changed, between two things that are told of a job. */
  readonly editIntervalMs: number;
  /** For how long after somebody's last word they may be spoken to, in milliseconds; null: at any time. */
  readonly windowMs: number | null;
  /** Characters of a message at most; null: no such limit. */
  readonly text: number | null;
  /** Buttons of a message at most; null: as many as there are. */
  readonly buttons: number | null;
  /** Rows of a list to choose from at most; null: as many as there are, or there are no lists. */
  readonly rows: number | null;
  /** Videos that play where they are shown: their largest size in bytes, and their codecs; null: whatever plays there. */
  readonly video: { readonly bytes: number; readonly codecs: readonly string[] | null };
}

/** Whether what is made can be posted somewhere, as far as a platform tells. */
export type Rights = "granted" | "unknown";

/** Writes that a view was told, and where: in the transaction in which a surface tells it, so that both are there or neither. */
export type WriteTold = (receipt: Receipt, within: OpenTransaction) => Promise<void>;

/** One per platform; no optional members. */
export interface Surface {
  readonly name: Platform;
  readonly limits: SurfaceLimits;
  /**
   * Where it tells how a job ended: on its platform, so that it must be on disk first that somebody is being told; or in the
   * database, in the transaction of `write`, so that nothing can be told without that being written.
   */
  readonly tellsIn: "platform" | "database";
  /** Connects and publishes `intake.commands` the platform's own way. */
  start(intake: Intake): Promise<void>;
  /**
   * Posts a view. A view that belongs to a job may be delivered twice after a crash; where the platform
   * allows it, the adapter shows it once.
   * @param write for a surface that tells how a job ended in the database; others leave it alone
   * @throws ReelayError `undeliverable` when posting there can never succeed; `not_posted` where the platform did not take
   *   it now, and anything else, is tried again
   */
  deliver(to: Address, view: View, write?: WriteTold): Promise<Receipt>;
  /** Replaces what was posted, or reposts where the platform cannot edit. Errors as for `deliver`. */
  revise(receipt: Receipt, view: View, write?: WriteTold): Promise<Receipt>;
  /** A receipt that does not say whose message it is; undefined in private, where nobody else sees it. */
  unnamed(receipt: Receipt): Receipt | undefined;
  /**
   * A receipt for everything else there that mentions somebody's job, such as a list: where the job is deleted, `revise` says so there,
   * too. Undefined where that cannot be found again.
   */
  mentions(user: UserId, job: string): Receipt | undefined;
  /** Asks for what is missing, the platform's own way. */
  collect(to: Address, form: Form): Promise<void>;
  /** @throws ReelayError `media_gone` when the platform no longer has it; `media_unreached` where it gives no answer now */
  openMedia(ref: MediaRef): Promise<Readable>;
  /**
   * Makes sure, before anything is spent, that what is made can be posted where it was asked for; as far as the platform tells
   * that by itself.
   * @returns `unknown` where it does not tell now: then nothing is spent there that nobody pressed for
   * @throws ReelayError `group_right_missing`, `permission_missing`
   */
  checkRights(to: Address, result: "video" | "image"): Promise<Rights>;
  /** SHA-256 in hex of a file that somebody gave; undefined where that is not told without reading it. */
  digestIn(ref: MediaRef): string | undefined;
  /**
   * Keeps a picture that was made for somebody as if they had given it.
   * @throws ReelayError `undeliverable` where nobody can be given one
   */
  keepPicture(
    whose: Pick<Origin, "user" | "address">,
    picture: { readonly name: string; readonly type: string; readonly content: Readable },
  ): Promise<MediaRef>;
  /** Goes on with what waited here for somebody's key, who connected it on another platform's surface. */
  keyConnected(user: UserId): Promise<void>;
  /** Erases what it keeps about a person. */
  forget(user: UserId): Promise<void>;
  /**
   * Erases what it keeps of people's conversations and files that came before a time; what belongs to a job that is going
   * on stays.
   * @param before milliseconds since 1970
   */
  expire(before: number): Promise<void>;
  /**
   * Where to post to a person or a group that did not ask, such as the operator.
   * @param group set where what is told is about this group, to those who manage it
   * @throws ReelayError `undeliverable` where the platform has no such way, or that is no place for what is about the group
   */
  reach(recipient: ChatId, group?: ChatId): Promise<Address>;
  /** Whether people can reach it now. */
  ready(): boolean;
  stop(): Promise<void>;
}

/** The processes that share what is kept, for an adapter that keeps something until it has dealt with it. */
export interface RunnerWatch {
  /** This one. */
  readonly id: string;
  /** Those of some that are gone for sure: they deal with nothing more of what they had begun. */
  goneAmong(ids: readonly string[]): Promise<readonly string[]>;
}

/** What an adapter may ask of the core. */
export interface Intake {
  readonly commands: readonly CommandSpec[];
  /** Those of them that are offered to somebody, who may be from another platform than this one. */
  commandsFor(user: UserId): readonly CommandSpec[];
  /** The core's buttons by the command of their tokens. */
  readonly buttons: ReadonlyMap<string, CommandTraits>;
  /** The same for programs. */
  readonly jobs: JobAccess;
  /** What those who run Reelay look at and decide about people: whoever asks for it has made sure of their role. */
  people(): Promise<PeopleDesk>;
  /** Finds keys among words: an adapter asks before it keeps or shows any. */
  readonly keys: KeyWatch;
  readonly runners: RunnerWatch;
  /**
   * Whether a key that somebody wrote among words is to be connected: nobody pays for them yet. Who pays otherwise changes
   * only where they say so.
   */
  wantsKey(origin: Origin): Promise<boolean>;
  /**
   * Runs a command with named, typed values; what comes of it is delivered to the origin's address.
   * @returns whether it was done; if not, a problem was delivered
   */
  command(origin: Origin, name: string, values: Values): Promise<boolean>;
  /**
   * The same, where the platform itself says what is wrong: nothing is delivered then.
   * @throws ReelayError
   */
  run(origin: Origin, name: string, values: Values): Promise<void>;
  /**
   * Connects a person's own key where something waits for it, which goes on without a word; what is said of jobs that waited
   * for one is delivered.
   * @throws ReelayError for a key that is none, or that the service does not take
   */
  connect(origin: Origin, key: string): Promise<void>;
  /** Answers a form. Returns as `command`. */
  answer(origin: Origin, formId: string, values: Values): Promise<boolean>;
  /** Presses a button. */
  act(origin: Origin, token: string): Promise<void>;
  /**
   * Entries of a field's catalogue that match what was typed; all of them for "". What is flagged mature is among them where
   * it has a place.
   */
  suggest(
    origin: Origin,
    name: string,
    field: string,
    partial: string,
    values: Values,
  ): Promise<readonly Suggestion[]>;
  /** Tokens left to whoever asks, as a quote says them: null where that cannot be told, or is not theirs to know. */
  tokensLeft(origin: Origin): Promise<number | null>;
  /** What somebody chose and stated about how Reelay deals with them. */
  preferences(origin: Origin): Promise<Preferences>;
  /**
   * Whether an operation may begin there at all, whatever it is filled in with.
   * @throws ReelayError for what stands in the way, such as a right that the bot lacks
   */
  admit(origin: Origin, name: string): Promise<void>;
  /**
   * What an operation will cost with these values, and what is to be stated with it. Nothing of it is written down.
   * @throws ReelayError for the first value that would be refused, and what the rules refuse
   */
  quote(origin: Origin, name: string, values: Values): Promise<Proposal>;
  /**
   * Whether an operation may begin with these values without being confirmed: it costs no more than they allowed, nothing
   * is to be stated with it, and what is made can be posted there.
   * @param quote what it will cost, where that was asked already
   */
  mayBegin(origin: Origin, name: string, values: Values, quote?: Quote): Promise<boolean>;
  /**
   * Looks at files as they are looked at when they are sent: to be asked when they come, before any price is said. A file
   * that is given by its address has not come: only where that leads is checked.
   * @param fields those that the files are for
   * @returns what can never be sent, one problem a field; nothing is said to whom Reelay is closed
   */
  examine(origin: Origin, fields: readonly FieldSpec[], values: Values): Promise<readonly Problem[]>;
  /**
   * Has what nobody could be told in a chat told there after all, because it is open again: once, however often that is
   * heard.
   */
  chatOpened(chat: OpenedChat): Promise<void>;
  /**
   * Has a job's end told anew, because the platform took what told it and could not bring it to its person: once for each
   * time that is heard.
   */
  notArrived(user: UserId, job: string): Promise<void>;
  /** What those who manage a group set for it. */
  rulesIn(chat: ChatId): Promise<Group>;
  /** Takes a group's rules and its key along to the id that it has from now on; what the key paid for still arrives. */
  groupMoved(from: ChatId, to: ChatId): Promise<void>;
  /** Erases a group's rules, and its key as soon as nothing that it paid for is on its way any more. */
  forgetGroup(chat: ChatId): Promise<void>;
}

/** A chat that something can be posted in again. */
export type OpenedChat = {
  /** What their addresses there have in common, where that is not all of the group. */
  readonly at?: Address;
} & (
  | { readonly chat?: never; readonly user: UserId }
  /** The group, and whose jobs are told; everybody's there, where left out. */
  | { readonly chat: ChatId; readonly user?: UserId }
);

/** What somebody chose and stated. */
export interface Preferences {
  readonly locale: Locale;
  /** What costs no more than this may begin without being confirmed, in tokens; null: nothing may. */
  readonly spendBelow: number | null;
  /** What they stated that still stands; what is stated anew each time is never among it. */
  readonly stated: readonly StatementName[];
}
