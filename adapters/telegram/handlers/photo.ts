import type { Message } from "telegraf/types";
import type { MediaRef } from "../../../src/chat/values.ts";
import { sheetOf } from "../../../src/chat/sheet.ts";
import { addressOf } from "../context/address.ts";
import { withoutMention } from "../context/addressed.ts";
import { messageOf, textOf } from "../context/command-line.ts";
import type { Clerk, Visit } from "../context/context.ts";
import { pictureField, withAnother } from "../drafts/answer.ts";
import { showDraft } from "../drafts/message.ts";
import { answerOf } from "../drafts/target.ts";
import { startWith } from "../drafts/start.ts";
import { inDraft } from "../drafts/tell.ts";
import { markPainted } from "../drafts/mask.ts";
import { checkPicture, pictureIn } from "../media/photo.ts";

/** A picture that a draft asked for, or that was sent in reply to it. */
export const answerPictureClerk: Clerk = async (visit) => {
  const { message, draft, isReply = false } = (await answerOf(visit)) ?? {};
  const picture = message && pictureIn(message);
  const sheet = draft && sheetOf(draft, visit.intake.commands);
  const field = sheet && pictureField(draft, sheet, isReply);
  if (!picture || !field) return false;
  await inDraft(visit, draft, async () => {
    await checkPicture(visit, picture);
    if (field.control === "mask") await markPainted({ talk: visit, draft, sheet, field }, picture);
    else await showDraft(visit, withAnother(draft, sheet, field, picture));
  });
  return true;
};

/** A photo: something begins. */
export const photoClerk: Clerk = async (visit) => {
  const message = messageOf(visit);
  const picture = message && pictureIn(message);
  if (!picture) return false;
  await begin(visit, message, picture, withoutMention(textOf(message), visit.username));
  return true;
};

/** Words in reply to a picture, anybody's: something begins with it. */
export const repliedPictureClerk: Clerk = async (visit) => {
  const message = messageOf(visit);
  if (!message || !("text" in message)) return false;
  const replied = message.reply_to_message;
  const picture = replied && pictureIn(replied);
  if (!picture) return false;
  await begin(visit, replied, picture, withoutMention(message.text, visit.username));
  return true;
};

async function begin(visit: Visit, shown: Message, picture: MediaRef, words: string): Promise<void> {
  await checkPicture(visit, picture);
  const address = { ...addressOf(visit.origin.address), replyTo: shown.message_id };
  await startWith(visit, address, { pictures: [picture], sounds: [], ...(words && { words }) });
}
