import type { InlineKeyboardMarkup } from "telegraf/types";
import type { NoticeView } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import { drawCover } from "../../../src/infrastructure/media/pictures/cover.ts";
import { partsOf } from "../../kit/results/file-by-file.ts";
import { receiptFor, type TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { ifThere } from "../api/errors.ts";
import { editText, sendText } from "./post-text.ts";
import { render } from "./render.ts";
import { deliveriesIn } from "./results-memory.ts";

/** Pixels of the picture that stands where a file was. */
const COVER_SIDE = 320;

type Place = Pick<TelegramReceipt, "chat" | "message">;

/**
 * Takes back what was posted, with all that belongs to it, and says why in its place. It may be done again after a
 * crash: what is gone stays gone, at most it is said twice.
 */
export async function takeBack(
  services: Services,
  receipt: TelegramReceipt,
  view: NoticeView,
): Promise<TelegramReceipt> {
  const { chat, message, others = [], form, job = view.job?.id } = receipt;
  for (const one of others) await hide(services, { chat, message: one });
  if (job !== undefined) await takePosted(services, job, message);
  // A result may be there in the place of its progress without anybody knowing: that is no text any more.
  const said = form === "text" ? await editText(services, receipt, view) : undefined;
  return said ?? replaceFile(services, receipt, view);
}

/**
 * Takes back what was posted of a job, also by a delivery that broke off, and ends its links to our own
 * server. It may be posted again one day.
 * @param but a message that is replaced
 */
export async function takePosted(services: Services, job: string, but?: number): Promise<void> {
  const { memory, host } = services;
  const deliveries = deliveriesIn(memory);
  const delivery = await deliveries.find(job);
  if (!delivery) return;
  for (const { message, chat = delivery.address.chat, url } of partsOf(delivery)) {
    if (url !== undefined) await host.links.revoke(url);
    if (message !== but) await hide(services, { chat, message });
  }
  await deliveries.drop(job);
}

/**
 * Deletes a message.
 * @returns false where it is still there: Telegram lets bots delete within 48 hours only, but edit for ever
 */
export async function remove({ sender, host }: Services, { chat, message }: Place): Promise<boolean> {
  try {
    await sender.call("deleteMessage", { chat_id: chat, message_id: message }, { chat });
    return true;
  } catch (err) {
    host.log.debug({ err }, "A message could not be taken back");
    return false;
  }
}

/** Takes a message out of sight, however old it is. */
async function hide(services: Services, place: Place): Promise<void> {
  if (!(await remove(services, place))) await cover(services, place, "", { inline_keyboard: [] });
}

async function replaceFile(
  services: Services,
  receipt: TelegramReceipt,
  view: NoticeView,
): Promise<TelegramReceipt> {
  const { html, keyboard } = render(translator(receipt.locale), view);
  const isCovered = !(await remove(services, receipt)) && (await cover(services, receipt, html, keyboard));
  return isCovered
    ? receiptFor(receipt, { message: receipt.message, form: "cover" })
    : sendText(services, receipt, view);
}

/** Puts a plain picture in the place of a message's file. @returns whether the message was still there */
async function cover(
  { sender }: Services,
  { chat, message }: Place,
  caption: string,
  keyboard: InlineKeyboardMarkup,
): Promise<boolean> {
  const source = await drawCover(COVER_SIDE);
  const media = { type: "photo", media: { source }, caption, parse_mode: "HTML" } as const;
  const edit = { chat_id: chat, message_id: message, media, reply_markup: keyboard };
  return ifThere(() => sender.call("editMessageMedia", edit, { chat }));
}
