import type { Message, Sticker } from "telegraf/types";
import { keptName } from "../../../src/seam/text/kept-name.ts";
import type { MediaRef } from "../../../src/seam/values.ts";
import type { Sound } from "../../kit/drafts/sounds.ts";
import { isPictureFile } from "../../kit/files/kinds.ts";

/** A file as Telegram tells of it. */
interface TelegramFile {
  readonly file_id: string;
  readonly file_size?: number;
  readonly file_name?: string;
}

/** A file of Telegram's as the core keeps it. */
function mediaRef({ file_id, file_size, file_name }: TelegramFile): MediaRef {
  return {
    surface: "telegram",
    id: file_id,
    ...(file_name !== undefined && { name: keptName(file_name) }),
    ...(file_size !== undefined && { bytes: file_size }),
  };
}

/** The picture that a message brings: as a photo, in its largest size, as a sticker, or as a file. */
export function pictureIn(message: Message): MediaRef | undefined {
  const photo = "photo" in message ? message.photo.at(-1) : undefined;
  if (photo) return mediaRef(photo);
  if ("sticker" in message) return isStill(message.sticker) ? mediaRef(message.sticker) : undefined;
  if (!("document" in message)) return undefined;
  const { mime_type: type, file_name: name } = message.document;
  return isPictureFile(type, name) ? mediaRef(message.document) : undefined;
}

/**
 * Whether a message's picture is one that Telegram made anew of what was sent: a JPEG of its own sizes (API, PhotoSize), no side of
 * which goes more than 20 times into the other (sendPhoto).
 */
export const isRemade = (message: Message) => "photo" in message;

/** Whether a message is a sticker that is drawn anew on each phone: it has no frames. */
export const isDrawn = (message: Message) => "sticker" in message && message.sticker.is_animated;

/** The video that a message brings, however it was sent. */
export function videoIn(message: Message): MediaRef | undefined {
  if ("sticker" in message && message.sticker.is_video) return mediaRef(message.sticker);
  if ("animation" in message) return mediaRef(message.animation);
  if ("video" in message) return mediaRef(message.video);
  if ("video_note" in message) return mediaRef(message.video_note);
  const isFile = "document" in message && message.document.mime_type?.startsWith("video/");
  return isFile ? mediaRef(message.document) : undefined;
}

const isStill = ({ is_animated: isAnimated, is_video: isVideo }: Sticker) => !isAnimated && !isVideo;

/** The sound in a message: recorded, as music, or as a file, which Telegram does not look into. */
export function soundIn(message: Message): Sound | undefined {
  if ("voice" in message) return soundOf(message.voice, message.voice.duration);
  if ("audio" in message) return soundOf(message.audio, message.audio.duration);
  if ("document" in message && message.document.mime_type?.startsWith("audio/"))
    return soundOf(message.document, undefined);
  return undefined;
}

const soundOf = (
  file: TelegramFile & { readonly mime_type?: string },
  seconds: number | undefined,
): Sound => ({ file: mediaRef(file), type: file.mime_type, seconds });
