import type { Document, Message } from "telegraf/types";
import type { MediaRef } from "../../../src/chat/values.ts";
import { examined, someField } from "../../../src/chat/examined.ts";
import { isPicture } from "../../../src/chat/filling.ts";
import type { UpdateContext } from "../context/context.ts";

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
  return "document" in message && isPictureFile(message.document) ? mediaRef(message.document) : undefined;
}

/**
 * Looks at a picture when it comes, before anything is made of it.
 * @throws ReelayError for one that can never be sent, as `Intake.examine` tells
 */
export function checkPicture({ intake, origin }: UpdateContext, picture: MediaRef): Promise<void> {
  return examined(intake, origin, someField(intake, isPicture), picture);
}

/** Whether a file is said to be a picture. Some systems give HEIC photos no type. */
function isPictureFile({ mime_type: type = "", file_name: name = "" }: Document): boolean {
  return type.startsWith("image/") || /\.hei[cf]$/i.test(name);
}
