import { anyOf, message } from "telegraf/filters";
import { leftoverView, uselessView, WORDS } from "../../kit/handlers/leftover.ts";
import { withoutMention } from "../context/addressed.ts";
import { messageOf, textOf } from "../context/command-line.ts";
import { type Handler, pressedOf } from "../context/context.ts";
import { isDrawn } from "../media/files.ts";
import { beginOperation } from "./operation.ts";
import { platform } from "./platform.ts";
import { resultOffer } from "./reply-words.ts";
import { answeredMessage, answerPress } from "./press.ts";

/** What may be sent in private that nobody has a use for; notes of Telegram's own are none of it. */
const isForNobody = anyOf(
  message("sticker"),
  message("video"),
  message("animation"),
  message("video_note"),
  message("document"),
  message("contact"),
  message("location"),
  message("poll"),
  message("dice"),
);
const isText = message("text");

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
  const { update, origin, intake, say, username } = context;
  if ("callback_query" in update) {
    await answerPress(context, say("error.stale_button"));
    return true;
  }
  const message = messageOf(context);
  if (message && isDrawn(message)) {
    await platform.post(context, uselessView("telegram.sticker"));
    return true;
  }
  if (!isText(update) && !(origin.audience === "private" && isForNobody(update))) return false;
  await platform.post(
    context,
    resultOffer(context) ?? leftoverView(intake.commands, withoutMention(textOf(update.message), username)),
  );
  return true;
};
