import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ResultMedia, ResultView } from "../../src/chat/views.ts";
import { ReelayError } from "../../src/errors.ts";
import { translator } from "../../src/i18n.ts";
import { fileName } from "../../src/media/file-name.ts";
import type { TelegramAddress, TelegramReceipt } from "./address.ts";
import type { Office } from "./desk.ts";
import { meaningOf } from "./errors.ts";
import { keyboardFor } from "./keyboard.ts";
import { render } from "./render.ts";
import { type Sending, sendFile } from "./results-ladder.ts";

/** How long it is remembered where a result was posted, in milliseconds: as long as anybody may ask for it again. */
const REMEMBERED_MS = 90 * 24 * 3_600_000;

/**
 * Posts a finished job with its file, as an answer to what the person sent. A result that was posted before is
 * pointed at instead: a crash may have left unknown that it was.
 */
export async function sendResult(
  office: Office,
  address: TelegramAddress,
  view: ResultView,
): Promise<TelegramReceipt> {
  const shown = await office.memory.get<TelegramReceipt>(placeOf(view));
  if (shown && (await pointAt(office, shown))) return shown;
  await mkdir(join(office.host.config.data, "scratch"), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(office.host.config.data, "scratch", "telegram-"));
  try {
    const messages = await sendAll(office, address, view, folder);
    const [message] = messages;
    if (message === undefined) throw new ReelayError("result_gone");
    const { chat, topic, replyTo, locale } = address;
    const place = { ...(topic !== undefined && { topic }), ...(replyTo !== undefined && { replyTo }) };
    const receipt: TelegramReceipt = { chat, locale, message, form: "media", ...place };
    await office.memory.set(placeOf(view), receipt, REMEMBERED_MS);
    return receipt;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const placeOf = ({ job }: ResultView) => `result:${job.id}`;

async function sendAll(
  office: Office,
  address: TelegramAddress,
  view: ResultView,
  folder: string,
): Promise<number[]> {
  const say = translator(address.locale);
  const { html, rows } = render(say, view);
  const messages: number[] = [];
  for (const media of view.media) {
    const file = await download(media, folder);
    // What is said and what can be pressed stands under the first.
    const first = messages.length === 0;
    const sending: Sending = {
      ...file,
      caption: first ? html : "",
      ...(first && rows.length > 0 && { keyboard: keyboardFor(say, rows) }),
      folder,
    };
    messages.push(await sendFile(office, address, sending));
  }
  return messages;
}

/** Streamed to the disk first: its size and its picture must be known before it leaves. */
async function download(media: ResultMedia, folder: string) {
  const { stream, type } = await media.open();
  const path = join(folder, fileName(media, type));
  await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
  const { size: bytes } = await stat(path);
  return { path, bytes, kind: media.kind };
}

/** Answers the message that shows it already. Returns false where that is gone. */
async function pointAt(
  { sender }: Office,
  { chat, message, topic, locale }: TelegramReceipt,
): Promise<boolean> {
  try {
    await sender.call(
      "sendMessage",
      {
        chat_id: chat,
        text: translator(locale)("telegram.shown"),
        reply_parameters: { message_id: message },
        ...(topic !== undefined && { message_thread_id: topic }),
      },
      { chat },
    );
    return true;
  } catch (error) {
    if (meaningOf(error) === "message_gone") return false;
    throw error;
  }
}
