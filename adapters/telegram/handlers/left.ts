import type { TelegramReceipt } from "../context/address.ts";
import type { UpdateContext } from "../context/context.ts";
import { ifThere } from "../api/errors.ts";
import { deliveriesIn, receiptOfDelivery } from "../messages/results-memory.ts";
import { pressedMessage } from "./press.ts";

/**
 * Takes the buttons from a pressed message that says how far a job is whose result is elsewhere: Telegram had taken it, and its
 * answer was lost, so that nobody knew of it until now.
 * @returns where the result is; undefined where the message is no such one
 */
export async function clearLeft(context: UpdateContext, job: string): Promise<TelegramReceipt | undefined> {
  const { memory, sender } = context;
  const pressed = pressedMessage(context);
  const delivery = await deliveriesIn(memory).find(job);
  const shown = delivery?.complete ? receiptOfDelivery(job, delivery) : undefined;
  if (!pressed || !shown) return undefined;
  const { chat, message } = pressed;
  const isPartOf = shown.chat !== chat || shown.message === message || shown.others?.includes(message);
  if (isPartOf) return undefined;
  const edit = { chat_id: chat, message_id: message, reply_markup: { inline_keyboard: [] } };
  await ifThere(() => sender.call("editMessageReplyMarkup", edit, { chat }));
  return shown;
}
