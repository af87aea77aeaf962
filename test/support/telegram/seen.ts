import type { Files } from "./files.ts";
import type { Post } from "./room.ts";
import { MEDIA_KINDS } from "./shown.ts";
import type { Content, InlineKeyboardButton, MediaFile, Message } from "./wire.ts";

/** A file in a message. */
interface SeenMedia {
  readonly kind: (typeof MEDIA_KINDS)[number];
  readonly fileId: string;
  /** Empty in a lean fake. */
  readonly bytes: Buffer;
  readonly size: number;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Seconds. */
  readonly duration: number | undefined;
  readonly fileName: string | undefined;
  readonly mimeType: string | undefined;
  readonly thumbnail: Buffer | undefined;
  readonly supportsStreaming: boolean;
  /** Whether it is to be pressed before it is seen. */
  readonly covered: boolean;
}

/** What a message shows at one time. */
interface SeenContent {
  /** The text, or the caption. */
  readonly text: string;
  /** The labels of the inline buttons, row by row. */
  readonly buttons: readonly (readonly string[])[];
  readonly media: SeenMedia | undefined;
}

/** A message as a person sees it. */
export interface SeenMessage extends SeenContent {
  readonly id: number;
  readonly chatId: number;
  readonly from: "bot" | "person";
  /** The name of whoever sent it. */
  readonly sender: string;
  readonly keyboard: readonly (readonly InlineKeyboardButton[])[];
  /** The id of the message that it replies to. */
  readonly replyTo: number | undefined;
  readonly topic: number | undefined;
  readonly album: string | undefined;
  /** The emoji that the bot reacted with. */
  readonly reaction: string | undefined;
  /** What it showed before each edit, oldest first. */
  readonly history: readonly SeenContent[];
  /** As it is on the wire, with entities. */
  readonly message: Message;
}

/** How a person sees a message now; later edits make another. */
export function seen(files: Files, { message, history, reaction }: Post): SeenMessage {
  return {
    ...content(files, message),
    id: message.message_id,
    chatId: message.chat.id,
    from: message.from.is_bot ? "bot" : "person",
    sender: message.from.first_name,
    keyboard: message.reply_markup?.inline_keyboard ?? [],
    replyTo: message.reply_to_message?.message_id,
    topic: message.message_thread_id,
    album: message.media_group_id,
    reaction,
    history: history.map((version) => content(files, version)),
    message,
  };
}

function content(files: Files, shown: Content): SeenContent {
  return {
    text: shown.text ?? shown.caption ?? "",
    buttons: (shown.reply_markup?.inline_keyboard ?? []).map((row) => row.map(({ text }) => text)),
    media: media(files, shown),
  };
}

function media(files: Files, shown: Content): SeenMedia | undefined {
  const kind = MEDIA_KINDS.find((one) => shown[one] !== undefined);
  const file: MediaFile | undefined = kind === "photo" ? shown.photo?.at(-1) : kind && shown[kind];
  if (!kind || !file) return undefined;
  const stored = files.stored(file.file_id);
  return {
    kind,
    fileId: file.file_id,
    bytes: stored.bytes,
    size: file.file_size,
    width: file.width,
    height: file.height,
    duration: file.duration,
    fileName: file.file_name,
    mimeType: file.mime_type,
    thumbnail: file.thumbnail && files.stored(file.thumbnail.file_id).bytes,
    supportsStreaming: stored.supportsStreaming ?? false,
    covered: shown.has_media_spoiler ?? false,
  };
}
