import type { Message } from "telegraf/types";
import type { CommandSpec } from "../../src/chat/fields.ts";
import type { MediaRef } from "../../src/chat/values.ts";
import { messageOf } from "./command-line.ts";
import type { Visit } from "./desk.ts";
import { startDraft } from "./draft-clerk.ts";
import { fillIn } from "./offers.ts";

/** Starts a draft: the words are its text, and a picture that was sent along or replied to is its picture. */
export async function beginOperation(visit: Visit, spec: CommandSpec, words: string): Promise<void> {
  const message = messageOf(visit);
  const replied = message && "reply_to_message" in message ? message.reply_to_message : undefined;
  const picture = pictureIn(message) ?? pictureIn(replied);
  const given = { pictures: picture ? [picture] : [], sounds: [], ...(words && { words }) };
  await startDraft(visit, spec.name, fillIn(spec, given));
}

/** The picture that a message brings, as a photo or as a file. */
function pictureIn(message: Message | undefined): MediaRef | undefined {
  if (!message) return undefined;
  const file =
    "photo" in message
      ? message.photo.at(-1)
      : "document" in message && message.document.mime_type?.startsWith("image/")
        ? message.document
        : undefined;
  return (
    file && {
      surface: "telegram",
      id: file.file_id,
      ...(file.file_size !== undefined && { bytes: file.file_size }),
    }
  );
}
