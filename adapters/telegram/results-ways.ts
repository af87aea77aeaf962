import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { InlineKeyboardMarkup } from "telegraf/types";
import { findFfmpeg } from "../../src/media/ffmpeg.ts";
import { prepareImage } from "../../src/media/image.ts";
import { probeImage, probeVideo } from "../../src/media/probe.ts";
import { shrinkVideo } from "../../src/media/shrink.ts";
import { videoThumbnail } from "../../src/media/thumbnail.ts";
import { translator } from "../../src/i18n.ts";
import type { TelegramAddress } from "./address.ts";
import type { Office } from "./desk.ts";
import { withKeyboard } from "./keyboard.ts";
import { TELEGRAM } from "./limits.ts";
import { placeOf } from "./place.ts";
import { escapeHtml } from "./render.ts";

/** A finished file on our disk, in a folder where other forms of it may be made. */
export interface ResultFile {
  readonly folder: string;
  readonly path: string;
  readonly bytes: number;
  /** What it is saved under. */
  readonly name: string;
  /** Its MIME type, as the service announced it. */
  readonly type: string;
}

/** Where a file goes, and what stands under it. */
export interface Errand {
  readonly office: Office;
  readonly address: TelegramAddress;
  /** HTML; may be empty. */
  readonly caption: string;
  readonly keyboard: InlineKeyboardMarkup;
  /** Gives up what is made of the file. What Telegram is getting already, its answer is waited for. */
  readonly signal: AbortSignal | undefined;
}

/** What a file was posted as. */
export interface Posted {
  readonly message: number;
  readonly as: "video" | "photo" | "document" | "link";
}

/**
 * One way to post a file.
 * @param limit the largest file that Telegram takes, in bytes
 * @returns undefined where it is no way for this file
 */
export type Way = (errand: Errand, file: ResultFile, limit: number) => Promise<Posted | undefined>;

/** How long a link to a result works, in milliseconds. */
export const LINK_MS = 7 * 24 * 3_600_000;

/** A video that plays in the chat. */
export async function asVideo(errand: Errand, file: ResultFile, limit: number): Promise<Posted | undefined> {
  const { office, address } = errand;
  if (file.bytes > limit) return undefined;
  const facts = await probeVideo(file.path);
  const thumbnail = await thumbnailOf(errand, file);
  const { message_id: message } = await office.sender.call(
    "sendVideo",
    {
      ...under(errand),
      video: { source: file.path, filename: file.name },
      supports_streaming: true,
      ...(facts && { width: facts.width, height: facts.height, duration: Math.round(facts.seconds) }),
      ...(thumbnail !== undefined && { thumbnail: { source: thumbnail } }),
    },
    { chat: address.chat },
  );
  return { message, as: "video" };
}

/** Without one Telegram shows a black field until somebody presses play. */
async function thumbnailOf({ office, signal }: Errand, { path, folder }: ResultFile) {
  const ffmpeg = await findFfmpeg(office.host.config.ffmpeg);
  if (ffmpeg === undefined) return undefined;
  const to = join(folder, "thumbnail.jpg");
  const { bytes: most, side } = TELEGRAM.thumbnail;
  const bytes = await videoThumbnail(ffmpeg, { from: path, to, side, signal });
  return bytes !== undefined && bytes <= most ? to : undefined;
}

/** A picture that shows in the chat: as it is where Telegram takes that as a photo, else a smaller one of it. */
export async function asPhoto(errand: Errand, file: ResultFile): Promise<Posted | undefined> {
  const { office, address } = errand;
  const size = await probeImage(file.path);
  if (!size || Math.max(size.width / size.height, size.height / size.width) > TELEGRAM.photoRatio)
    return undefined;
  const fits = file.bytes <= TELEGRAM.photo && size.width + size.height <= TELEGRAM.photoSides;
  const source = fits ? file.path : await smallerPicture(file);
  if (source === undefined) return undefined;
  const { message_id: message } = await office.sender.call(
    "sendPhoto",
    { ...under(errand), photo: { source } },
    { chat: address.chat },
  );
  return { message, as: "photo" };
}

async function smallerPicture({ path, bytes, folder }: ResultFile): Promise<string | undefined> {
  const bounds = { dir: folder, maxBytes: bytes, maxFileBytes: TELEGRAM.photo };
  return prepareImage(async () => createReadStream(path), bounds).then(
    (smaller) => smaller.path,
    () => undefined,
  );
}

/** A file to save, as it is. */
export async function asDocument(
  errand: Errand,
  file: ResultFile,
  limit: number,
): Promise<Posted | undefined> {
  const { office, address } = errand;
  if (file.bytes > limit) return undefined;
  const { message_id: message } = await office.sender.call(
    "sendDocument",
    {
      ...under(errand),
      document: { source: file.path, filename: file.name },
      // Telegram would show what it knows its own way again, and make it smaller.
      disable_content_type_detection: true,
    },
    { chat: address.chat },
  );
  return { message, as: "document" };
}

/** Encoded again so that it fits; that also helps where Telegram could not read it as it was. */
export async function asSmallerVideo(
  errand: Errand,
  file: ResultFile,
  limit: number,
): Promise<Posted | undefined> {
  const { office, address, caption, signal } = errand;
  const ffmpeg = await findFfmpeg(office.host.config.ffmpeg);
  if (ffmpeg === undefined) return undefined;
  const path = join(file.folder, "smaller.mp4");
  // Where even less than Telegram usually takes was too much, half of it is a guess.
  const maxBytes = file.bytes > TELEGRAM.upload ? TELEGRAM.upload : file.bytes / 2;
  const bytes = await shrinkVideo(ffmpeg, { from: file.path, to: path, maxBytes, signal });
  if (bytes === undefined) return undefined;
  const note = escapeHtml(translator(address.locale)("telegram.smaller"));
  return asVideo({ ...errand, caption: `${caption}\n${note}` }, { ...file, path, bytes }, limit);
}

/** A link to it on our own server, where people can reach that. */
export async function asLink({ office, address, caption, keyboard }: Errand, file: ResultFile) {
  const { config, files, links } = office.host;
  if (config.publicUrl === undefined) return undefined;
  const { path, name, type } = file;
  const { id } = await files.put(createReadStream(path), file.bytes);
  const url = config.publicUrl + (await links.make({ id, name, type }, LINK_MS));
  const link = `<a href="${escapeHtml(url)}">${escapeHtml(translator(address.locale)("telegram.link"))}</a>`;
  const { message_id: message } = await office.sender.call(
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
  return { message, as: "link" } as const;
}

/** What every message with a file has. */
function under({ address, caption, keyboard }: Errand) {
  return {
    ...placeOf(address),
    ...(caption !== "" && ({ caption, parse_mode: "HTML" } as const)),
    ...withKeyboard(keyboard),
  };
}
