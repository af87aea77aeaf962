import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { InlineKeyboardMarkup, Message } from "telegraf/types";
import { ReelayError } from "../../src/errors.ts";
import { clipFacts, clipThumbnail, shrinkClip } from "../../src/media/clip.ts";
import { findFfmpeg } from "../../src/media/ffmpeg.ts";
import { translator } from "../../src/i18n.ts";
import type { TelegramAddress } from "./address.ts";
import type { Office } from "./desk.ts";
import { meaningOf } from "./errors.ts";
import { TELEGRAM } from "./limits.ts";
import { escapeHtml } from "./render.ts";

/** A file that is to be sent, with what stands under it. */
export interface Sending {
  readonly path: string;
  readonly bytes: number;
  readonly kind: "video" | "image";
  /** HTML. */
  readonly caption: string;
  readonly keyboard?: InlineKeyboardMarkup;
  /** Where other forms of it may be made. */
  readonly folder: string;
}

/** One way to send a file. Returns undefined where it is not one for this file. */
type Rung = (office: Office, address: TelegramAddress, sending: Sending) => Promise<Message | undefined>;

/** The ways, best first. */
const LADDER: readonly Rung[] = [asItself, asDocument, smaller, asLink];

/** How long a link to a result works, in milliseconds. */
const LINK_MS = 7 * 24 * 3_600_000;

/**
 * Sends a file in the best form that Telegram takes.
 * @returns the id of the message that shows it
 * @throws ReelayError `undeliverable` when it takes none, after saying where the result is
 */
export async function sendFile(office: Office, address: TelegramAddress, sending: Sending): Promise<number> {
  for (const rung of LADDER) {
    try {
      const sent = await rung(office, address, sending);
      if (sent) return sent.message_id;
    } catch (error) {
      const meaning = meaningOf(error);
      if (meaning !== "refused" && meaning !== "file_too_large") throw error;
      office.host.log.warn({ err: error }, "Telegram refused a result in one form; trying the next");
    }
  }
  await sayItIsTooLarge(office, address, sending);
  throw new ReelayError("undeliverable");
}

/** A video that plays in the chat, or a picture that shows in it with its original below. */
async function asItself(office: Office, address: TelegramAddress, sending: Sending) {
  if (sending.kind === "video") return asVideo(office, address, sending);
  if (sending.bytes > TELEGRAM.photo) return undefined;
  await announce(office, address, "upload_photo");
  const photo = await send(office, "sendPhoto", address, {
    ...common(address, sending),
    photo: { source: sending.path },
  });
  // Telegram makes photos smaller: the original comes as a file, below.
  const answer = { ...address, replyTo: photo.message_id };
  await send(office, "sendDocument", address, {
    ...common(answer, { caption: "" }),
    document: { source: sending.path, filename: basename(sending.path) },
    disable_content_type_detection: true,
  });
  return photo;
}

async function asVideo(office: Office, address: TelegramAddress, sending: Sending) {
  if (sending.bytes > limitOf(office)) return undefined;
  await announce(office, address, "upload_video");
  const ffmpeg = await findFfmpeg(office.host.config.ffmpeg);
  const facts = ffmpeg === undefined ? undefined : await clipFacts(ffmpeg, sending.path);
  const thumbnail = join(sending.folder, "thumbnail.jpg");
  const hasThumbnail =
    ffmpeg !== undefined &&
    (await clipThumbnail(ffmpeg, sending.path, thumbnail, TELEGRAM.thumbnail.side)
      // Of a clip that is too short ffmpeg makes none, and is content.
      .then(() => stat(thumbnail))
      .then(
        ({ size }) => size <= TELEGRAM.thumbnail.bytes,
        () => false,
      ));
  return send(office, "sendVideo", address, {
    ...common(address, sending),
    video: { source: sending.path, filename: basename(sending.path) },
    supports_streaming: true,
    ...(facts && { width: facts.width, height: facts.height, duration: Math.round(facts.duration) }),
    ...(hasThumbnail && { thumbnail: { source: thumbnail } }),
  });
}

async function asDocument(office: Office, address: TelegramAddress, sending: Sending) {
  if (sending.bytes > limitOf(office)) return undefined;
  await announce(office, address, "upload_document");
  return send(office, "sendDocument", address, {
    ...common(address, sending),
    document: { source: sending.path, filename: basename(sending.path) },
  });
}

/** Encoded again so that it fits. */
async function smaller(office: Office, address: TelegramAddress, sending: Sending) {
  const ffmpeg = await findFfmpeg(office.host.config.ffmpeg);
  if (sending.kind !== "video" || ffmpeg === undefined) return undefined;
  const path = join(sending.folder, "smaller.mp4");
  // What a server of somebody else's takes is only known from its refusal.
  const budget = sending.bytes > TELEGRAM.upload ? TELEGRAM.upload : sending.bytes / 2;
  if (!(await shrinkClip(ffmpeg, sending.path, path, budget))) return undefined;
  const { size: bytes } = await stat(path);
  const note = escapeHtml(translator(address.locale)("telegram.smaller"));
  return asVideo(office, address, { ...sending, path, bytes, caption: `${sending.caption}\n${note}` });
}

/** A link to it on our own server, where people can reach that. */
async function asLink(office: Office, address: TelegramAddress, { path, caption, keyboard, kind }: Sending) {
  const { config, files, links } = office.host;
  if (config.publicUrl === undefined) return undefined;
  const { id } = await files.put(createReadStream(path), Number.MAX_SAFE_INTEGER);
  const type = kind === "video" ? "video/mp4" : "image/png";
  const link = config.publicUrl + (await links.make({ id, name: basename(path), type }, LINK_MS));
  const say = translator(address.locale);
  const text = `${caption}\n<a href="${escapeHtml(link)}">${escapeHtml(say("telegram.link"))}</a>`;
  return send(office, "sendMessage", address, {
    ...place(address),
    text,
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
    ...(keyboard && { reply_markup: keyboard }),
  });
}

async function sayItIsTooLarge(
  office: Office,
  address: TelegramAddress,
  { caption }: Sending,
): Promise<void> {
  const text = `${escapeHtml(translator(address.locale)("telegram.too_large"))}\n${caption}`;
  await send(office, "sendMessage", address, { ...place(address), text, parse_mode: "HTML" });
}

function limitOf({ host }: Office): number {
  return host.config.telegram?.apiRoot === undefined ? TELEGRAM.upload : TELEGRAM.local;
}

function place({ chat, topic, replyTo }: TelegramAddress) {
  return {
    chat_id: chat,
    ...(topic !== undefined && { message_thread_id: topic }),
    ...(replyTo !== undefined && {
      reply_parameters: { message_id: replyTo, allow_sending_without_reply: true },
    }),
  };
}

function common(address: TelegramAddress, { caption, keyboard }: Pick<Sending, "caption" | "keyboard">) {
  return {
    ...place(address),
    ...(caption !== "" && { caption, parse_mode: "HTML" }),
    ...(keyboard && { reply_markup: keyboard }),
  };
}

function send(
  { sender }: Office,
  method: string,
  { chat }: TelegramAddress,
  parameters: Readonly<Record<string, unknown>>,
): Promise<Message> {
  return sender.raw<Message>(method, parameters, { chat });
}

/** Shows that something is on its way; whether that is seen does not matter. */
async function announce(
  { sender, host }: Office,
  { chat, topic }: TelegramAddress,
  action: string,
): Promise<void> {
  const where = { chat_id: chat, ...(topic !== undefined && { message_thread_id: topic }) };
  await sender.raw("sendChatAction", { ...where, action }, { chat }).catch((err: unknown) => {
    host.log.debug({ err }, "An upload could not be announced");
  });
}
