import type { FileKind } from "./files.ts";
import { codePoints, parseHtml, type MarkedText } from "./html.ts";
import { checkKeyboard } from "./keyboard.ts";
import { readPhoto, readThumbnail } from "./pictures.ts";
import { badRequest, Refusal } from "./refusal.ts";
import { Upload } from "./upload.ts";
import type { Content, InlineKeyboardMarkup, MediaFile, MessageEntity, PhotoSize } from "./wire.ts";
import type { World } from "./world.ts";

/** A text's or caption's own parameters. */
export interface Marks {
  readonly parse_mode?: string;
  readonly entities?: readonly MessageEntity[];
}

/** A caption's parameters. */
export interface Captioned {
  readonly caption?: string;
  readonly parse_mode?: string;
  readonly caption_entities?: readonly MessageEntity[];
}

/** What a call says of a file. */
export interface MediaParams extends Captioned {
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly title?: string;
  readonly performer?: string;
  readonly supports_streaming?: boolean;
  readonly has_spoiler?: boolean;
  readonly thumbnail?: Upload | string;
}

/** The kinds of media that a bot sends. */
export type MediaKind = Exclude<FileKind, "thumbnail" | "voice" | "sticker" | "video_note">;

/**
 * Parses a text as a call says.
 * @throws Refusal when it cannot be parsed
 */
function marked(text: string, { parse_mode: mode, entities = [] }: Marks): MarkedText {
  if (mode !== undefined && mode.toUpperCase() !== "HTML") {
    throw badRequest(`the fake knows the parse_mode HTML only, not ${mode}`);
  }
  const parsed = mode === undefined ? { text, entities } : parseHtml(text);
  return { text: parsed.text.trimEnd(), entities: parsed.entities };
}

/** What a text message shows. @throws Refusal when it is empty or too long */
export function textContent(world: World, said: string, marks: Marks): Content {
  const { text, entities } = marked(said, marks);
  if (text.trim() === "") throw badRequest("message text is empty");
  if (codePoints(text) > world.limits.textLength) throw badRequest("message is too long");
  return { text, ...(entities.length > 0 && { entities }) };
}

/** What a caption adds; nothing for an empty one. @throws Refusal when it is too long */
export function captionContent(world: World, params: Captioned): Content {
  const { caption = "", parse_mode, caption_entities } = params;
  const { text, entities } = marked(caption, {
    ...(parse_mode !== undefined && { parse_mode }),
    ...(caption_entities && { entities: caption_entities }),
  });
  if (codePoints(text) > world.limits.captionLength) throw badRequest("message caption is too long");
  return { ...(text && { caption: text }), ...(entities.length > 0 && { caption_entities: entities }) };
}

/** The keyboard that a message carries; other kinds of markup are not part of it. */
export function keyboardContent(world: World, markup: object | undefined, mayBeEmpty = false): Content {
  if (!markup || !("inline_keyboard" in markup)) return {};
  const keyboard = markup as InlineKeyboardMarkup;
  checkKeyboard(keyboard, world.limits, mayBeEmpty);
  return keyboard.inline_keyboard.length > 0 ? { reply_markup: keyboard } : {};
}

/**
 * What a message with a file shows.
 * @param source an upload, or the id of a file that is there already
 * @throws Refusal when the file is unknown, too large, or not what it is said to be
 */
export async function mediaContent(
  world: World,
  kind: MediaKind,
  source: Upload | string,
  params: MediaParams,
): Promise<Content> {
  const beside = {
    ...captionContent(world, params),
    ...(params.has_spoiler && ({ has_media_spoiler: true } as const)),
  };
  const file =
    source instanceof Upload ? await uploaded(world, kind, source, params) : known(world, kind, source);
  if (kind === "photo") return { photo: [file as PhotoSize], ...beside };
  // API, Message `animation`: "document" is set too, for old bots.
  return { [kind]: file, ...(kind === "animation" && { document: file }), ...beside };
}

async function uploaded(
  world: World,
  kind: MediaKind,
  upload: Upload,
  { width = 0, height = 0, duration = 0, title, performer, thumbnail, supports_streaming }: MediaParams,
): Promise<MediaFile> {
  if (upload.bytes.length > world.limits.uploadBytes) throw new Refusal(413, "Request Entity Too Large");
  if (upload.bytes.length === 0) throw badRequest("file must be non-empty");
  const { bytes } = upload;
  const details = {
    ...(kind === "photo" && sizeOf(await readPhoto(bytes, world.limits))),
    ...(kind !== "photo" && { file_name: upload.fileName, mime_type: upload.mimeType }),
    ...((kind === "video" || kind === "animation") && { width, height, duration }),
    ...(kind === "audio" && { duration, ...(title !== undefined && { title }) }),
    ...(kind === "audio" && performer !== undefined && { performer }),
    ...(thumbnail instanceof Upload && { thumbnail: await storedThumbnail(world, thumbnail) }),
  };
  return world.files.addUpload({ kind, bytes, details, supportsStreaming: supports_streaming ?? false });
}

async function storedThumbnail(world: World, { bytes }: Upload): Promise<PhotoSize> {
  const details = sizeOf(await readThumbnail(bytes, world.limits));
  return world.files.addUpload({ kind: "thumbnail", bytes, details });
}

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height });

function known(world: World, kind: MediaKind, fileId: string): MediaFile {
  if (/^https?:/.test(fileId)) throw badRequest("failed to get HTTP URL content");
  const file = world.files.find(fileId);
  if (file.kind !== kind) throw badRequest(`can't use file of type ${file.kind} as ${kind}`);
  return { ...file.fields, ...file.details };
}
