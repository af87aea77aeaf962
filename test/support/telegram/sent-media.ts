import type { FileDetails, Files } from "./files.ts";
import { photoSizes } from "./pictures.ts";
import { entitiesIn } from "./entities.ts";
import type { Content } from "./wire.ts";

/** What a person says of a file. */
export interface FileNote {
  readonly caption?: string;
  readonly fileName?: string;
  readonly mimeType?: string;
  /** Seconds. */
  readonly duration?: number;
  readonly title?: string;
}

/** A photo as Telegram takes it in: several sizes, smallest first. */
export async function sentPhoto(files: Files, bytes: Buffer, note: FileNote = {}): Promise<Content> {
  const sizes = await photoSizes(bytes);
  const photo = sizes.map(({ bytes: scaled, width, height }) =>
    files.add({ kind: "photo", bytes: scaled, details: { width, height } }),
  );
  return { photo, ...captioned(note) };
}

/** How a sticker is drawn: as it is, by each phone, or as a video. */
export type StickerKind = "still" | "drawn" | "video";

export function sentSticker(files: Files, bytes: Buffer, kind: StickerKind): Content {
  const details = {
    type: "regular",
    width: 512,
    height: 512,
    is_animated: kind === "drawn",
    is_video: kind === "video",
  } as const;
  return { sticker: files.add({ kind: "sticker", bytes, details }) };
}

/** A video without sound; Telegram makes one of a GIF. API, Message `animation`: "document" is set too, for old bots. */
export function sentAnimation(files: Files, bytes: Buffer, note: FileNote = {}): Content {
  const details = { width: 320, height: 240, duration: 1, mime_type: "video/mp4" };
  const animation = files.add({ kind: "animation", bytes, details });
  return { animation, document: animation, ...captioned(note) };
}

/** A round video. */
export function sentVideoNote(files: Files, bytes: Buffer): Content {
  return { video_note: files.add({ kind: "video_note", bytes, details: { length: 240, duration: 1 } }) };
}

/** Any other file; a voice message has no name. */
export function sentFile(
  files: Files,
  kind: "document" | "audio" | "voice" | "video",
  bytes: Buffer,
  note: FileNote,
): Content {
  const details: FileDetails = {
    ...(kind !== "voice" && note.fileName !== undefined && { file_name: note.fileName }),
    ...(note.mimeType !== undefined && { mime_type: note.mimeType }),
    ...(kind !== "document" && { duration: note.duration ?? 1 }),
    ...(kind === "video" && { width: 320, height: 240 }),
    ...(note.title !== undefined && { title: note.title }),
  };
  return { [kind]: files.add({ kind, bytes, details }), ...captioned(note) };
}

function captioned({ caption }: FileNote): Content {
  if (caption === undefined) return {};
  const entities = entitiesIn(caption);
  return { caption, ...(entities.length > 0 && { caption_entities: entities }) };
}
