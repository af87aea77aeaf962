import { anyOf, message } from "telegraf/filters";
import { leftoverView, uselessView, WORDS } from "../../kit/handlers/leftover.ts";
import { withoutMention } from "../context/addressed.ts";
import { messageOf, textOf } from "../context/command-line.ts";
import { type Handler, pressedOf, type UpdateContext } from "../context/context.ts";
import { isDrawn } from "../media/files.ts";
import { beginOperation } from "./operation.ts";
import { platform } from "./platform.ts";
import { resultOffer } from "./reply-words.ts";
import { answeredMessage, answerPress } from "./press.ts";

/** What may be sent that nobody has a use for; notes of Telegram's own are none of it. */
const isKnownForNobody = anyOf(
  message("sticker"),
  message("video"),
  message("animation"),
  message("video_note"),
  message("document"),
  message("contact"),
  message("location"),
  message("poll"),
  message("dice"),
  message("story"),
);
const isText = message("text");

/** The same of newer kinds, of which telegraf knows nothing. */
const NEWER = ["paid_media", "checklist"];

/** In a group, a file is sent to the bot where words come with it; all else that answers it is meant for people. */
function isForNobody({ update, origin }: UpdateContext): boolean {
  const sent = "message" in update ? update.message : undefined;
  if (!sent || !(isKnownForNobody(update) || NEWER.some((kind) => kind in sent))) return false;
  return origin.audience === "private" || textOf(sent) !== "";
}

/** Makes something of words alone, as {@link lastWord} offered it. They stand in the message that the offer answers. */
export const wordsHandler: Handler = async (context) => {
  const operation = pressedOf(context, WORDS);
  if (operation === undefined) return false;
  if (!(await platform.isTheirs(context))) return true;
  await answerPress(context);
  const spec = context.intake.commands.find(({ name }) => name === operation);
  const words = answeredMessage(context);
  if (spec) await beginOperation(context, spec, words ? withoutMention(textOf(words), context.username) : "");
  return true;
};

/** Deals with what no handler had a use for. Comes after every other handler. */
export const lastWord: Handler = async (context) => {
  const { update, intake, say, username } = context;
  if ("callback_query" in update) {
    await answerPress(context, say("error.stale_button"));
    return true;
  }
  const message = messageOf(context);
  if (message && isDrawn(message)) {
    await platform.post(context, uselessView("telegram.sticker"));
    return true;
  }
  if (!isText(update) && !isForNobody(context)) return false;
  const words = isText(update) ? withoutMention(update.message.text, username) : "";
  await platform.post(context, resultOffer(context) ?? leftoverView(intake.commands, words));
  return true;
};
