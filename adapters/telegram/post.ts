import type { View } from "../../src/chat/views.ts";
import { translator } from "../../src/i18n.ts";
import type { TelegramAddress, TelegramReceipt } from "./address.ts";
import type { Office } from "./desk.ts";
import { meaningOf } from "./errors.ts";
import { withKeyboard } from "./keyboard.ts";
import { placeOf, receiptFor } from "./place.ts";
import { render } from "./render.ts";
import { sendResult } from "./results.ts";
import { TakesNoForm } from "./results-delivery.ts";

type TextView = Exclude<View, { kind: "result" }>;

/**
 * Posts a view.
 * @param signal gives up what takes long, such as the file of a result
 * @throws ReelayError `undeliverable` when nothing can be posted there
 */
export async function post(
  office: Office,
  address: TelegramAddress,
  view: View,
  signal?: AbortSignal,
): Promise<TelegramReceipt> {
  return view.kind === "result" ? sendResult(office, address, view, signal) : sendText(office, address, view);
}

/**
 * Replaces what was posted. A result takes the place of its progress: it is posted anew, because nobody is told
 * of an edit. Errors as for {@link post}.
 */
export async function replace(
  office: Office,
  receipt: TelegramReceipt,
  view: View,
  signal?: AbortSignal,
): Promise<TelegramReceipt> {
  if (view.kind === "result") return replaceByResult(office, receipt, view, signal);
  if (receipt.form === "text") return editText(office, receipt, view);
  if (view.kind === "notice") return replaceFile(office, receipt, view);
  // What is said of a finished job later does not take its result away.
  await sendText(office, receipt, view);
  return receipt;
}

async function replaceByResult(
  office: Office,
  receipt: TelegramReceipt,
  view: Extract<View, { kind: "result" }>,
  signal: AbortSignal | undefined,
): Promise<TelegramReceipt> {
  try {
    const posted = await sendResult(office, receipt, view, signal);
    if (posted.message !== receipt.message && receipt.form === "text") await remove(office, receipt);
    return posted;
  } catch (error) {
    // It was said where the result waits: it is not on its way any more.
    if (error instanceof TakesNoForm && receipt.form === "text") await remove(office, receipt);
    throw error;
  }
}

async function editText(office: Office, receipt: TelegramReceipt, view: TextView): Promise<TelegramReceipt> {
  const { chat, message, locale } = receipt;
  const { html, keyboard } = render(translator(locale), view);
  try {
    await office.sender.call(
      "editMessageText",
      {
        chat_id: chat,
        message_id: message,
        text: html,
        parse_mode: "HTML",
        reply_markup: keyboard,
      },
      { chat, ...(view.kind === "progress" && { idle: `${chat} ${message}` }) },
    );
    return receipt;
  } catch (error) {
    if (meaningOf(error) === "message_gone") return sendText(office, receipt, view);
    throw error;
  }
}

/** Takes a file back and says why, in its place; one that is too old to be taken back says it itself. */
async function replaceFile(
  office: Office,
  receipt: TelegramReceipt,
  view: TextView,
): Promise<TelegramReceipt> {
  if (await remove(office, receipt)) return sendText(office, receipt, view);
  const { chat, message, locale } = receipt;
  const { html, keyboard } = render(translator(locale), view);
  await office.sender.call(
    "editMessageCaption",
    { chat_id: chat, message_id: message, caption: html, parse_mode: "HTML", reply_markup: keyboard },
    { chat },
  );
  return receipt;
}

async function sendText(office: Office, address: TelegramAddress, view: TextView): Promise<TelegramReceipt> {
  const { html, keyboard } = render(translator(address.locale), view);
  const { message_id: message } = await office.sender.call(
    "sendMessage",
    {
      ...placeOf(address),
      text: html,
      parse_mode: "HTML",
      // The words of the service, or a template's name, may hold an address.
      link_preview_options: { is_disabled: true },
      ...withKeyboard(keyboard),
    },
    { chat: address.chat },
  );
  return receiptFor(address, { message, form: "text" });
}

/**
 * Takes back what was posted, with all that belongs to it.
 * @returns false where it is still there: Telegram lets bots delete within 48 hours only
 */
async function remove({ sender, host }: Office, { chat, message, others = [] }: TelegramReceipt) {
  let gone = true;
  for (const one of [message, ...others]) {
    await sender.call("deleteMessage", { chat_id: chat, message_id: one }).catch((err: unknown) => {
      host.log.debug({ err }, "A message could not be taken back");
      gone = false;
    });
  }
  return gone;
}
