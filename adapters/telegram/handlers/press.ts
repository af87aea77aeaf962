import { addressOf, type TelegramReceipt } from "../context/address.ts";
import type { UpdateContext } from "../context/context.ts";

/** The presses that were answered: Telegram takes one answer to each. */
const answered = new WeakSet<object>();

/**
 * Ends the waiting that a pressed button shows; nothing where it was ended before.
 * @param text a sentence of at most 200 characters, shown over the chat
 * @param options `quiet`: it goes by itself, and is not to be confirmed
 */
export async function answerPress(
  { update, sender }: UpdateContext,
  text?: string,
  { quiet = false } = {},
): Promise<void> {
  if (!("callback_query" in update) || answered.has(update.callback_query)) return;
  answered.add(update.callback_query);
  await sender.call("answerCallbackQuery", {
    callback_query_id: update.callback_query.id,
    ...(text !== undefined && { text, show_alert: !quiet }),
  });
}

/** The message whose button was pressed, for changing it. */
export function pressedMessage({ update, origin }: UpdateContext): TelegramReceipt | undefined {
  const message = "callback_query" in update ? update.callback_query.message : undefined;
  if (!message) return undefined;
  const { topic, locale } = addressOf(origin.address);
  return {
    chat: message.chat.id,
    message: message.message_id,
    locale,
    form: "text",
    ...(topic !== undefined && { topic }),
  };
}

/** The message that the one with the pressed button answers, where Telegram shows it. */
export function answeredMessage({ update }: UpdateContext) {
  const message = "callback_query" in update ? update.callback_query.message : undefined;
  return message && "reply_to_message" in message ? message.reply_to_message : undefined;
}

/** Whether a button in a group was pressed that answers somebody else. */
export function isOfSomebodyElse(context: UpdateContext): boolean {
  if (!("callback_query" in context.update) || context.origin.audience === "private") return false;
  const asker = answeredMessage(context)?.from;
  return asker !== undefined && asker.id !== context.update.callback_query.from.id;
}
