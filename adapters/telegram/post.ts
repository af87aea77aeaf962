import { translator } from "../../src/i18n.ts";
import type { View } from "../../src/chat/views.ts";
import type { TelegramAddress, TelegramReceipt } from "./address.ts";
import type { Office } from "./desk.ts";
import { meaningOf } from "./errors.ts";
import { keyboardFor } from "./keyboard.ts";
import { render } from "./render.ts";
import { sendResult } from "./results.ts";

/**
 * Posts a view.
 * @throws ReelayError `undeliverable` when nothing can be posted there
 */
export async function post(office: Office, address: TelegramAddress, view: View): Promise<TelegramReceipt> {
  return view.kind === "result" ? sendResult(office, address, view) : sendText(office, address, view);
}

/** Replaces what was posted. A result takes the place of its progress: Telegram cannot turn a text into a file. */
export async function replace(
  office: Office,
  receipt: TelegramReceipt,
  view: View,
): Promise<TelegramReceipt> {
  if (view.kind === "result") {
    const posted = await sendResult(office, receipt, view);
    if (receipt.form === "text") await remove(office, receipt);
    return posted;
  }
  const { chat, message, form, locale } = receipt;
  const say = translator(locale);
  const { html, rows } = render(say, view);
  const place = {
    chat_id: chat,
    message_id: message,
    parse_mode: "HTML",
    reply_markup: keyboardFor(say, rows),
  } as const;
  const how = { chat, ...(view.kind === "progress" && { idle: `${chat} ${message}` }) };
  try {
    if (form === "text") await office.sender.call("editMessageText", { ...place, text: html }, how);
    else await office.sender.call("editMessageCaption", { ...place, caption: html }, how);
    return receipt;
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning === "unmodified") return receipt;
    if (meaning === "message_gone") return sendText(office, receipt, view);
    throw error;
  }
}

async function sendText(
  office: Office,
  { chat, topic, replyTo, locale }: TelegramAddress,
  view: Exclude<View, { kind: "result" }>,
): Promise<TelegramReceipt> {
  const say = translator(locale);
  const { html, rows } = render(say, view);
  const { message_id: message } = await office.sender.call(
    "sendMessage",
    {
      chat_id: chat,
      text: html,
      parse_mode: "HTML",
      ...(rows.length > 0 && { reply_markup: keyboardFor(say, rows) }),
      ...(topic !== undefined && { message_thread_id: topic }),
      ...(replyTo !== undefined && {
        reply_parameters: { message_id: replyTo, allow_sending_without_reply: true },
      }),
    },
    { chat },
  );
  const place = { ...(topic !== undefined && { topic }), ...(replyTo !== undefined && { replyTo }) };
  return { chat, locale, message, form: "text", ...place };
}

/** What was said before the result may be gone already, or too old to go. */
async function remove({ sender, host }: Office, { chat, message }: TelegramReceipt): Promise<void> {
  await sender
    .call("deleteMessage", { chat_id: chat, message_id: message }, { chat })
    .catch((err: unknown) => {
      host.log.debug({ err }, "A job's progress could not be taken back");
    });
}
