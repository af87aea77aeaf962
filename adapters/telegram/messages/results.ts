import type { ResultView } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import { type FileChannel, showFileByFile } from "../../kit/results/file-by-file.ts";
import { TakesNoForm } from "../../../src/seam/surface/takes-no-form.ts";
import { ifThere, meaningOf } from "../api/errors.ts";
import type { TelegramAddress, TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { whileUploading } from "../media/upload.ts";
import { sendHtml } from "./post-text.ts";
import { rendered } from "./render.ts";
import { deliveriesIn, type Posted, receiptOfDelivery } from "./results-memory.ts";
import { stepsOf } from "./results-ways.ts";
import { remove } from "./take-back.ts";

const ACTIONS = { video: "upload_video", image: "upload_photo" } as const;

/**
 * Posts a finished job with its files, as an answer to what the person sent. It takes the place of its progress, but is
 * posted anew, because nobody is told of an edit. Errors as for `showResult`.
 */
export async function sendResult(
  services: Services,
  at: TelegramAddress | TelegramReceipt,
  view: ResultView,
  signal: AbortSignal | undefined,
): Promise<TelegramReceipt> {
  const before = "message" in at ? at : undefined;
  try {
    const posted = await showFileByFile(channelOf(services), at, view, signal);
    if (before && posted.message !== before.message) await clear(services, before);
    return posted;
  } catch (error) {
    // It was said where the result waits: it is not on its way any more.
    if (before && error instanceof TakesNoForm) await clear(services, before);
    throw error;
  }
}

function channelOf(services: Services): FileChannel<TelegramAddress, TelegramReceipt, Posted> {
  const { memory, host } = services;
  return {
    host,
    title: "Telegram",
    deliveries: deliveriesIn(memory),
    steps: stepsOf(services),
    receiptOf: receiptOfDelivery,
    pointAt: (_, shown) => pointAt(services, shown),
    whileUploading: (at, kind, task) => whileUploading(services, at, ACTIONS[kind], task),
    isAnswer: (error) => meaningOf(error) !== undefined && meaningOf(error) !== "down",
    say: (at, message) => sendHtml(services, at, rendered(message)),
  };
}

/** Answers the message that shows it already. @returns whether that is still there */
function pointAt({ sender }: Services, { chat, message, topic, locale }: TelegramReceipt): Promise<boolean> {
  const pointer = {
    chat_id: chat,
    text: translator(locale)("view.shown"),
    reply_parameters: { message_id: message },
    ...(topic !== undefined && { message_thread_id: topic }),
  };
  return ifThere(() => sender.call("sendMessage", pointer, { chat }));
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
