import type { View } from "../../../src/seam/views.ts";
import type { TelegramReceipt } from "../context/address.ts";
import type { UpdateContext } from "../context/context.ts";
import { ifThere } from "../api/errors.ts";
import { editHtml } from "../messages/post-text.ts";
import { escapeHtml } from "../messages/render.ts";
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

/**
 * Takes a button from its message whose press came too late: how far a job is is shown when nobody else waits, and until then the
 * button would stand there, and what it says would not be so.
 * @param token of the button
 * @param view what is said about the press
 */
export async function takeLate(context: UpdateContext, token: string, view: View): Promise<void> {
  const pressed = pressedMessage(context);
  const message = "callback_query" in context.update ? context.update.callback_query.message : undefined;
  const isLate = view.kind === "problem" && view.problem.code === "job_started";
  if (!isLate || !pressed || !message || !("reply_markup" in message)) return;
  const before = message.reply_markup?.inline_keyboard ?? [];
  const isIt = (button: object) => "callback_data" in button && button.callback_data === token;
  const keyboard = {
    inline_keyboard: before
      .map((row) => row.filter((button) => !isIt(button)))
      .filter((row) => row.length > 0),
  };
  // In a list of several jobs it has a number before it.
  const isOwn = before.flat().some((button) => isIt(button) && button.text === context.say("action.cancel"));
  const { chat, message: message_id } = pressed;
  const [name = ""] = "text" in message ? message.text.split("\n") : [];
  const html = escapeHtml(`${name}\n${context.say("view.phase.running")}`);
  const edit = { chat_id: chat, message_id, reply_markup: keyboard };
  try {
    if (isOwn) await editHtml(context, pressed, { html, keyboard });
    else await ifThere(() => context.sender.call("editMessageReplyMarkup", edit, { chat }));
  } catch (err) {
    context.host.log.warn({ err }, "A button that came too late was not taken away");
  }
}
