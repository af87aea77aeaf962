import { ReelayError } from "../../../src/common/errors.ts";
import { refusalView } from "../../../src/seam/text/notices.ts";
import { draftHandlers } from "../../kit/handlers/drafts.ts";
import { leftoverNoted, uselessView, wordsHandler } from "../../kit/handlers/leftover.ts";
import { notedHandler } from "../../kit/handlers/noted.ts";
import { notedReplyHandlers } from "../../kit/handlers/reply-words.ts";
import { takenBackHandler } from "../../kit/handlers/taken-back.ts";
import { togetherHandler, type TogetherRules } from "../../kit/handlers/together.ts";
import type { WhatsAppContext } from "../context/context.ts";
import { pictureIn, soundIn, videoIn, wordsIn } from "../context/media.ts";
import { drafts } from "../messages/channel.ts";
import { begin, wordHandlers } from "./commands.ts";
import { chatOf, chosen, type Handler, platform, refuse } from "./platform.ts";

const {
  press,
  answer,
  begin: beginDraft,
} = draftHandlers<WhatsAppContext>(drafts, platform, {
  sentIn({ message, replied }) {
    if (!message || message.interactive) return undefined;
    const picture = pictureIn(message);
    const sound = soundIn(message);
    const video = picture ? undefined : videoIn(message);
    if (!picture && !video && !sound && !message.text) return undefined;
    return { words: wordsIn(message), picture, video, sound, reply: replied };
  },
  pressedDraft: (context) => chosen(context)?.draft ?? "",
  refuse: (context, why) => refuse(context, refusalView(why)),
});

const pictures: TogetherRules<WhatsAppContext> = {
  sentIn({ message }) {
    const picture = message && pictureIn(message);
    return picture && { message: message.id, picture, words: wordsIn(message) };
  },
  chatOf,
  answerTo: (message) => ({ replyTo: message }),
  alone: beginDraft,
};

/** Says what to do with what nobody has a use for. */
const lastWord: Handler = async (context) => {
  const { message } = context;
  if (!message) return false;
  if (message.interactive) throw new ReelayError("stale_button");
  // The button of the template opened the chat, and what waited is told.
  if (message.type === "button") return true;
  const useless = message.type === "location" && uselessView("whatsapp.location");
  const words = message.text ? wordsIn(message) : "";
  await refuse(context, useless || (await leftoverNoted(context, chatOf(context), words)));
  return true;
};

/** Some numbers are told of what people delete: those that are used in WhatsApp's own app, too. */
export const takenBack = takenBackHandler(drafts, chatOf, (at) => at.message?.revoke?.original_message_id);

/** Whoever deals with what people write, send and choose, in their order. */
export const handlers: readonly Handler[] = [
  notedHandler(pictures),
  ...wordHandlers,
  wordsHandler(platform, chatOf, begin),
  ...notedReplyHandlers<WhatsAppContext>(drafts, platform, chatOf, ({ message }) => ({
    words: message?.text ? wordsIn(message) : "",
    of: message?.context?.id,
  })),
  press,
  answer,
  togetherHandler(drafts, pictures),
  beginDraft,
  lastWord,
];
