import type { View } from "../../../src/chat/views.ts";
import { translator } from "../../../src/i18n.ts";
import type { TelegramAddress, TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { sayAside } from "./post-aside.ts";
import { sendFile } from "./post-file.ts";
import { editText, sendText } from "./post-text.ts";
import { sendResult } from "./results.ts";
import { TakesNoForm } from "./results-delivery.ts";
import { remove, takeBack, takePosted } from "./take-back.ts";

/**
 * Posts a view.
 * @param signal gives up what takes long, such as the file of a result
 * @throws ReelayError `undeliverable` when nothing can be posted there
 */
export async function post(
  services: Services,
  address: TelegramAddress,
  view: View,
  signal?: AbortSignal,
): Promise<TelegramReceipt> {
  if (view.kind === "result") return sendResult(services, address, view, signal);
  if (view.kind === "file") return sendFile(services, address, view);
  // The last word on a job: a delivery of it may have broken off before there was a receipt.
  if (view.kind === "notice" && view.job) await takePosted(services, view.job.id);
  return (await sayAside(services, address, view)) ?? sendText(services, address, view);
}

/**
 * Replaces what was posted. A result takes the place of its progress: it is posted anew, because nobody is told
 * of an edit. Errors as for {@link post}.
 */
export async function replace(
  services: Services,
  receipt: TelegramReceipt,
  view: View,
  signal?: AbortSignal,
): Promise<TelegramReceipt> {
  if (view.kind === "result") return replaceByResult(services, receipt, view, signal);
  if (view.kind === "file") return sendFile(services, receipt, view);
  if (view.kind === "notice") return takeBack(services, receipt, view);
  if (!showsResult(receipt)) return editText(services, receipt, view);
  // What is said of a finished job later does not take its result away.
  await sendText(services, receipt, view);
  return receipt;
}

/** Whether a message shows what was made, or stands where that was. */
export function showsResult({ form, job }: TelegramReceipt): boolean {
  return form !== "text" || job !== undefined;
}

async function replaceByResult(
  services: Services,
  receipt: TelegramReceipt,
  view: Extract<View, { kind: "result" }>,
  signal: AbortSignal | undefined,
): Promise<TelegramReceipt> {
  try {
    const posted = await sendResult(services, receipt, view, signal);
    if (posted.message !== receipt.message) await clear(services, receipt);
    return posted;
  } catch (error) {
    // It was said where the result waits: it is not on its way any more.
    if (error instanceof TakesNoForm) await clear(services, receipt);
    throw error;
  }
}

/** Takes away what was said while a result was not there; of a message that is too old for that, what it says. */
async function clear(services: Services, receipt: TelegramReceipt): Promise<void> {
  const { form, chat, message, locale } = receipt;
  if (form === "media" || (await remove(services, receipt)) || form === "text") return;
  const caption = translator(locale)("telegram.result_back");
  await services.sender.call(
    "editMessageCaption",
    { chat_id: chat, message_id: message, caption, reply_markup: { inline_keyboard: [] } },
    { chat },
  );
}
