import type { Message } from "telegraf/types";
import type { MediaRef } from "../../src/chat/values.ts";
import { ReelayError } from "../../src/errors.ts";
import { isPicture } from "../../src/media/sniff.ts";
import type { Office } from "./desk.ts";
import { TELEGRAM } from "./limits.ts";

/** A file as Telegram tells of it. */
interface TelegramFile {
  readonly file_id: string;
  readonly file_size?: number;
  readonly file_name?: string;
}

/** A file of Telegram's as the core keeps it. */
export function mediaRef({ file_id, file_size, file_name }: TelegramFile): MediaRef {
  return {
    surface: "telegram",
    id: file_id,
    ...(file_name !== undefined && { name: file_name }),
    ...(file_size !== undefined && { bytes: file_size }),
  };
}

/** The picture that a message brings: as a photo, in its largest size, or as a file. */
export function pictureIn(message: Message): MediaRef | undefined {
  const photo = "photo" in message ? message.photo.at(-1) : undefined;
  if (photo) return mediaRef(photo);
  return pictureType(message) !== undefined && "document" in message ? mediaRef(message.document) : undefined;
}

/**
 * Looks at a picture before anything is made of it. What may be too large to be fetched is tried: a local Bot API
 * server has no limit.
 * @throws ReelayError `media_type`, `media_too_large`
 */
export async function checkPicture(office: Office, message: Message, picture: MediaRef): Promise<void> {
  const type = pictureType(message);
  if (type !== undefined && !isPicture(type)) throw new ReelayError("media_type", { found: type });
  if ((picture.bytes ?? 0) > TELEGRAM.download) (await office.openMedia(picture)).destroy();
}

/** The kind of picture that a file is said to be, as we call it; undefined for other files. */
function pictureType(message: Message): string | undefined {
  const [, type] =
    ("document" in message && /^image\/(?:x-)?([\w.+-]+)$/.exec(message.document.mime_type ?? "")) || [];
  if (type === undefined) return undefined;
  const upper = type.toUpperCase();
  return upper === "WEBP" ? "WebP" : upper === "JPG" ? "JPEG" : upper;
}
