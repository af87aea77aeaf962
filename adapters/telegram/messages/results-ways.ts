import { join } from "node:path";
import type { InlineKeyboardMarkup } from "telegraf/types";
import { drawCover } from "../../../src/media/cover.ts";
import { findFfmpeg } from "../../../src/media/ffmpeg.ts";
import { probeImage, probeVideo } from "../../../src/media/probe.ts";
import type { ResultFile } from "../../../src/media/result-file.ts";
import { shareResult } from "../../../src/media/share.ts";
import { smallerPicture, smallerVideo } from "../../../src/media/smaller.ts";
import { videoThumbnail } from "../../../src/media/thumbnail.ts";
import { translator } from "../../../src/i18n.ts";
import type { TelegramAddress } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { withKeyboard } from "./keyboard.ts";
import { TELEGRAM } from "../api/limits.ts";
import { placeOf } from "../context/place.ts";
import { escapeHtml } from "./render.ts";

/** Where a file goes, and what stands under it. */
export interface Posting {
  readonly services: Services;
  readonly address: TelegramAddress;
  /** HTML; may be empty. */
  readonly caption: string;
  readonly keyboard: InlineKeyboardMarkup;
  /** Whether it is covered until somebody wants to see it. */
  readonly covered: boolean;
  /** Gives up what is made of the file. What Telegram is getting already, its answer is waited for. */
  readonly signal: AbortSignal | undefined;
}

/** What a file was posted as. */
export interface Posted {
  readonly message: number;
  readonly as: "video" | "photo" | "document" | "link";
  /** Where the file is that a link points to. */
  readonly url?: string;
}

/**
 * One way to post a file.
 * @param limit the largest file that Telegram takes, in bytes
 * @returns undefined where it is no way for this file
 */
export type Way = (posting: Posting, file: ResultFile, limit: number) => Promise<Posted | undefined>;

/** A video that plays in the chat. */
export async function asVideo(
  posting: Posting,
  file: ResultFile,
  limit: number,
): Promise<Posted | undefined> {
  const { services, address } = posting;
  if (file.bytes > limit) return undefined;
  const facts = await probeVideo(file.path);
  const thumbnail = await thumbnailOf(posting, file);
  const { message_id: message } = await services.sender.call(
    "sendVideo",
    {
      ...under(posting),
      video: { source: file.path, filename: file.name },
      supports_streaming: true,
      ...(posting.covered && { has_spoiler: true }),
      ...(facts && { width: facts.width, height: facts.height, duration: Math.round(facts.seconds) }),
      ...(thumbnail !== undefined && { thumbnail: { source: thumbnail } }),
    },
    { chat: address.chat },
  );
  return { message, as: "video" };
}

/** Without one Telegram shows a black field until somebody presses play. */
async function thumbnailOf({ services, signal }: Posting, { path, folder }: ResultFile) {
  const ffmpeg = await findFfmpeg(services.host.config.ffmpeg);
  if (ffmpeg === undefined) return undefined;
  const to = join(folder, "thumbnail.jpg");
  const { bytes: most, side } = TELEGRAM.thumbnail;
  const bytes = await videoThumbnail(ffmpeg, { from: path, to, side, signal });
  return bytes !== undefined && bytes <= most ? to : undefined;
}

/** A picture that shows in the chat: as it is where Telegram takes that as a photo, else a smaller one of it. */
export async function asPhoto(posting: Posting, file: ResultFile): Promise<Posted | undefined> {
  const { services, address } = posting;
  const size = await probeImage(file.path);
  if (!size || Math.max(size.width / size.height, size.height / size.width) > TELEGRAM.photoRatio)
    return undefined;
  const fits = file.bytes <= TELEGRAM.photo && size.width + size.height <= TELEGRAM.photoSides;
  const photo = fits ? file : await smallerPicture(file, TELEGRAM.photo);
  if (!photo) return undefined;
  const { message_id: message } = await services.sender.call(
    "sendPhoto",
    { ...under(posting), photo: { source: photo.path }, ...(posting.covered && { has_spoiler: true }) },
    { chat: address.chat },
  );
  return { message, as: "photo" };
}

/** A file to save, as it is. It cannot be covered; what Telegram shows of it before it is opened is a cover instead. */
export async function asDocument(
  posting: Posting,
  file: ResultFile,
  limit: number,
): Promise<Posted | undefined> {
  const { services, address } = posting;
  if (file.bytes > limit) return undefined;
  const { message_id: message } = await services.sender.call(
    "sendDocument",
    {
      ...under(posting),
      document: { source: file.path, filename: file.name },
      // Telegram would show what it knows its own way again, and make it smaller.
      disable_content_type_detection: true,
      ...(posting.covered && { thumbnail: { source: await drawCover(TELEGRAM.thumbnail.side) } }),
    },
    { chat: address.chat },
  );
  return { message, as: "document" };
}

/** Encoded again so that it fits; that also helps where Telegram could not read it as it was. */
export async function asSmallerVideo(
  posting: Posting,
  file: ResultFile,
  limit: number,
): Promise<Posted | undefined> {
  const { services, address, caption, signal } = posting;
  // Where even less than Telegram usually takes was too much, half of it is a guess.
  const maxBytes = file.bytes > TELEGRAM.upload ? TELEGRAM.upload : file.bytes / 2;
  const smaller = await smallerVideo(file, { maxBytes, ffmpeg: services.host.config.ffmpeg, signal });
  if (!smaller) return undefined;
  const note = escapeHtml(translator(address.locale)("view.smaller", { platform: "Telegram" }));
  return asVideo({ ...posting, caption: `${caption}\n${note}` }, smaller, limit);
}

/** A link to it on our own server, where people can reach that. */
export async function asLink(
  { services, address, caption, keyboard }: Posting,
  file: ResultFile,
): Promise<Posted | undefined> {
  const url = await shareResult(services.host, file);
  if (url === undefined) return undefined;
  const link = `<a href="${escapeHtml(url)}">${escapeHtml(translator(address.locale)("view.link"))}</a>`;
  const { message_id: message } = await services.sender.call(
    "sendMessage",
    {
      ...placeOf(address),
      text: [caption, link].filter(Boolean).join("\n"),
      parse_mode: "HTML",
      // A preview would fetch the whole file.
      link_preview_options: { is_disabled: true },
      ...withKeyboard(keyboard),
    },
    { chat: address.chat },
  );
  return { message, as: "link", url };
}

/** What every message with a file has. */
function under({ address, caption, keyboard }: Posting) {
  return {
    ...placeOf(address),
    ...(caption !== "" && ({ caption, parse_mode: "HTML" } as const)),
    ...withKeyboard(keyboard),
  };
}
