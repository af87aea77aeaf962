import { ReelayError } from "../../../src/common/errors.ts";
import { ownPart } from "../../../src/seam/text/actions.ts";
import {
  replyWordsHandler as handlerFor,
  resultJobs,
  resultOffer as offerOf,
} from "../../kit/handlers/reply-words.ts";
import { PING } from "../../kit/results/ping.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import { isNamed, withoutMention } from "../context/addressed.ts";
import { messageOf, repliedTo, textOf } from "../context/command-line.ts";
import type { Handler, UpdateContext } from "../context/context.ts";
import { drafts } from "../drafts/messages.ts";
import { platform } from "./platform.ts";
import { answeredMessage } from "./press.ts";

/** What is offered to words that answer a result, by the buttons below that. */
export const resultOffer = (context: UpdateContext): NoticeView | undefined =>
  offerOf(context, buttonsAnswered(context));

function buttonsAnswered(context: UpdateContext) {
  const replied = repliedTo(messageOf(context));
  const keyboard = replied && "reply_markup" in replied ? replied.reply_markup?.inline_keyboard : undefined;
  return (keyboard ?? [])
    .flat()
    .flatMap((button) =>
      "callback_data" in button ? [{ text: button.text, token: button.callback_data }] : [],
    );
}

/**
 * Swallows what answers a result, or how far a job is, in a group and does not name the bot, where it is said to people: a sticker, and
 * whatever comes from somebody else than who asked for it.
 */
export const besideHandler: Handler = async (context) => {
  const { intake, origin, username } = context;
  const message = messageOf(context);
  if (!message || origin.audience === "private" || isNamed(message, username)) return false;
  const buttons = buttonsAnswered(context);
  const [, asker] = buttons.flatMap(({ token }) => ownPart(token, PING)?.split(":") ?? []);
  const [job] = resultJobs(context, buttons);
  if (job === undefined && asker === undefined) return false;
  if ("sticker" in message) return true;
  if (job === undefined) return origin.user !== `telegram:${asker}`;
  try {
    await intake.jobs.find(origin.user, job);
    return false;
  } catch (error) {
    if (error instanceof ReelayError && error.code === "not_found") return true;
    throw error;
  }
};

/** Does what was offered to them. The words stand in the message that the offer answers. */
export const replyWordsHandler: Handler = handlerFor<UpdateContext>(drafts, platform, async (context) => {
  const said = answeredMessage(context);
  return said && withoutMention(textOf(said), context.username);
});
