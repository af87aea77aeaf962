import type { Message } from "telegraf/types";
import type { MediaRef } from "../../../src/chat/values.ts";
import { sheetOf } from "../../../src/chat/sheet.ts";
import { addressOf } from "../context/address.ts";
import { withoutMention } from "../context/addressed.ts";
import { messageOf, textOf } from "../context/command-line.ts";
import type { Handler, UpdateContext } from "../context/context.ts";
import { pictureField, withAnother } from "../drafts/answer.ts";
import { showDraft } from "../drafts/message.ts";
import { answerOf } from "../drafts/target.ts";
import { startWith } from "../drafts/start.ts";
import { inDraft } from "../drafts/tell.ts";
import { markPainted } from "../drafts/mask.ts";
import { checkPicture, pictureIn } from "../media/photo.ts";

/** A picture that a draft asked for, or that was sent in reply to it. */
export const answerPictureHandler: Handler = async (context) => {
  const { message, draft, isReply = false } = (await answerOf(context)) ?? {};
  const picture = message && pictureIn(message);
  const sheet = draft && sheetOf(draft, context.intake.commands);
  const field = sheet && pictureField(draft, sheet, isReply);
  if (!picture || !field) return false;
  await inDraft(context, draft, async () => {
    await checkPicture(context, picture);
    if (field.control === "mask") await markPainted({ context: context, draft, sheet, field }, picture);
    else await showDraft(context, withAnother(draft, sheet, field, picture));
  });
  return true;
};

/** A photo: something begins. */
export const photoHandler: Handler = async (context) => {
  const message = messageOf(context);
  const picture = message && pictureIn(message);
  if (!picture) return false;
  await begin(context, message, picture, withoutMention(textOf(message), context.username));
  return true;
};

/** Words in reply to a picture, anybody's: something begins with it. */
export const repliedPictureHandler: Handler = async (context) => {
  const message = messageOf(context);
  if (!message || !("text" in message)) return false;
  const replied = message.reply_to_message;
  const picture = replied && pictureIn(replied);
  if (!picture) return false;
  await begin(context, replied, picture, withoutMention(message.text, context.username));
  return true;
};

async function begin(
  context: UpdateContext,
  shown: Message,
  picture: MediaRef,
  words: string,
): Promise<void> {
  await checkPicture(context, picture);
  const address = { ...addressOf(context.origin.address), replyTo: shown.message_id };
  await startWith(context, address, { pictures: [picture], sounds: [], ...(words && { words }) });
}
