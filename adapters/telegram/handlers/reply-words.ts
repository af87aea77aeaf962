import { replyWordsHandler as handlerFor, resultOffer as offerOf } from "../../kit/handlers/reply-words.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import { withoutMention } from "../context/addressed.ts";
import { messageOf, repliedTo, textOf } from "../context/command-line.ts";
import type { Handler, UpdateContext } from "../context/context.ts";
import { drafts } from "../drafts/messages.ts";
import { platform } from "./platform.ts";
import { answeredMessage } from "./press.ts";

/** What is offered to words that answer a result, by the buttons below that. */
export function resultOffer(context: UpdateContext): NoticeView | undefined {
  const replied = repliedTo(messageOf(context));
  const keyboard = replied && "reply_markup" in replied ? replied.reply_markup?.inline_keyboard : undefined;
  const buttons = (keyboard ?? [])
    .flat()
    .flatMap((button) =>
      "callback_data" in button ? [{ text: button.text, token: button.callback_data }] : [],
    );
  return offerOf(context, buttons);
}

/** Does what was offered to them. The words stand in the message that the offer answers. */
export const replyWordsHandler: Handler = handlerFor<UpdateContext>(drafts, platform, async (context) => {
  const said = answeredMessage(context);
  return said && withoutMention(textOf(said), context.username);
});
