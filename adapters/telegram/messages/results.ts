import type { ResultView } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import { type FileChannel, showFileByFile } from "../../kit/results/file-by-file.ts";
import { takePing } from "../../kit/results/ping.ts";
import { TakesNoForm } from "../../../src/seam/surface/takes-no-form.ts";
import { meaningOf } from "../api/errors.ts";
import type { TelegramAddress, TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { whileUploading } from "../media/upload.ts";
import { sendHtml } from "./post-text.ts";
import { askedIn, pointAt, pointFrom } from "./pointer.ts";
import { rendered } from "./render.ts";
import { deliveriesIn, type Posted, receiptOfDelivery } from "./results-memory.ts";
import { stepsOf } from "./results-ways.ts";
import { remove } from "./take-back.ts";
import { sayUnposted } from "./unposted.ts";

const ACTIONS = { video: "upload_video", image: "upload_photo" } as const;

/**
 * Posts a finished job with its files, as an answer to what the person sent, in the place of its progress. Errors as for
 * `showResult`.
 */
export async function sendResult(
  services: Services,
  at: TelegramAddress | TelegramReceipt,
  view: ResultView,
  signal: AbortSignal | undefined,
): Promise<TelegramReceipt> {
  const before = "message" in at ? at : undefined;
  try {
    const asked = await askedIn(services, view.job.id, at);
    // Nothing is posted in a group because somebody asked in private, whether or not it is still there.
    if (asked && before?.job !== undefined) {
      await pointFrom(services, asked, before, view);
      return before;
    }
    const instead = await replacedBy(services, before, view);
    let isTold = false;
    const tell = async (shown: TelegramReceipt) => {
      if (!asked) return pointAt(services, shown);
      await pointFrom(services, asked, shown, view);
      return (isTold = true);
    };
    const posted = await showFileByFile(channelOf(services, instead, tell), at, view, signal);
    if (asked && !isTold) await tell(posted);
    if (before && posted.message !== before.message) await clear(services, before);
    else if (before) await callIfWanted(services, posted, view);
    return posted;
  } catch (error) {
    // It was said where the result waits: it is not on its way any more.
    if (before && error instanceof TakesNoForm) await clear(services, before);
    else if (before?.form !== "media" && meaningOf(error) === "unreachable")
      await sayUnposted(services, at, view);
    throw error;
  }
}

/**
 * The message whose place a result takes. What was refused before comes late, and is posted anew: what changes far above
 * is seen by nobody.
 */
async function replacedBy(
  { memory }: Services,
  before: TelegramReceipt | undefined,
  { job }: ResultView,
): Promise<TelegramReceipt | undefined> {
  const begun = await deliveriesIn(memory).find(job.id);
  const isLate = begun?.pending === false;
  return before?.form === "text" && !isLate ? before : undefined;
}

function channelOf(
  services: Services,
  instead: TelegramReceipt | undefined,
  tell: (shown: TelegramReceipt) => Promise<boolean>,
): FileChannel<TelegramAddress, TelegramReceipt, Posted> {
  const { memory, host } = services;
  return {
    host,
    title: "Telegram",
    deliveries: deliveriesIn(memory),
    steps: stepsOf(services, instead),
    receiptOf: receiptOfDelivery,
    // A process was killed between showing it there and noting that.
    pointAt: async (at, shown) => isIn(at, shown) || (await tell(shown)),
    whileUploading: (at, kind, task) => whileUploading(services, at, ACTIONS[kind], task),
    isAnswer: (error) => meaningOf(error) !== undefined && meaningOf(error) !== "down",
    say: (at, message) => sendHtml(services, at, rendered(message)),
  };
}

/** Whether its progress became a result: of a message that was one before, somebody asks to see it again. */
const isIn = (at: TelegramAddress | TelegramReceipt, { chat, message }: TelegramReceipt) =>
  "message" in at && at.job === undefined && at.message === message && at.chat === chat;

/** Calls whoever wanted that to their result, once: nobody is told of an edit. */
async function callIfWanted(services: Services, posted: TelegramReceipt, { job }: ResultView): Promise<void> {
  if (!(await takePing(services.memory, job.id))) return;
  await pointAt(services, posted).catch((err: unknown) => {
    services.host.log.debug({ err, job: job.id }, "Somebody was not called to their result");
  });
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
