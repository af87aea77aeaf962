import { join } from "node:path";
import type { InlineKeyboardMarkup } from "telegraf/types";
import type { ResultMedia } from "../../../src/infrastructure/media/files/result-media.ts";
import { drawCover } from "../../../src/infrastructure/media/pictures/cover.ts";
import { findFfmpeg } from "../../../src/infrastructure/media/video/ffmpeg.ts";
import { probeImage, probeVideo } from "../../../src/infrastructure/media/video/probe.ts";
import type { ResultFile } from "../../../src/infrastructure/media/files/result-file.ts";
import { shareResult } from "../../../src/infrastructure/media/files/share.ts";
import { smallerPicture } from "../../../src/infrastructure/media/video/smaller.ts";
import { videoThumbnail } from "../../../src/infrastructure/media/video/thumbnail.ts";
import { translator } from "../../../src/common/i18n.ts";
import type { TelegramAddress, TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import type { FilePosting, FileStep } from "../../kit/results/file-by-file.ts";
import { firstTaken, type FormNote, notesOf, smallerForm } from "../../kit/results/forms.ts";
import { meaningOf } from "../api/errors.ts";
import { TELEGRAM } from "../api/limits.ts";
import { uploadLimit } from "../media/upload.ts";
import { postHtml, postMedia, type Spot } from "./post-media.ts";
import { cardOf } from "./card.ts";
import { escapeHtml, keyboardOf } from "./render.ts";
import type { Posted } from "./results-memory.ts";

interface Posting extends FilePosting<TelegramAddress, Posted>, Spot {
  readonly services: Services;
  /** HTML; may be empty. */
  readonly caption: string;
  readonly keyboard: InlineKeyboardMarkup;
}

/**
 * One way to post a file.
 * @param limit the largest file that Telegram takes, in bytes
 * @returns undefined where it is no way for this file
 */
type Way = (posting: Posting, file: ResultFile, limit: number) => Promise<Posted | undefined>;

type Step = FileStep<TelegramAddress, Posted>;

/**
 * What each file is posted as: Telegram makes photos smaller, so that an original follows below.
 * @param instead the message whose place the first file takes
 */
export function stepsOf(
  services: Services,
  instead: TelegramReceipt | undefined,
): Record<ResultMedia["kind"], readonly Step[]> {
  const first = (ways: readonly Way[]): Step => ({
    isDue: () => true,
    post: (posting, file) =>
      postFile(services, ways, { ...posting, instead: posting.under && instead }, file),
  });
  const original: Step = {
    // Only a photo is less than its original.
    isDue: (last) => last?.as === "photo",
    async post({ at, last, ...posting }, file) {
      const below = {
        ...posting,
        last,
        at: { ...at, ...(last && { replyTo: last.message }) },
        instead: undefined,
      };
      return (await postFile(services, [asDocument, asLink, asNote], below, file)) ?? null;
    },
  };
  return {
    video: [first([asVideo, asDocument, asSmallerVideo, asLink])],
    image: [first([asPhoto, asDocument, asLink]), original],
  };
}

/** Posts a file in the best form that Telegram takes. @returns undefined when it takes none */
async function postFile(
  services: Services,
  ways: readonly Way[],
  posting: FilePosting<TelegramAddress, Posted> & Spot,
  file: ResultFile,
): Promise<Posted | undefined> {
  const { at, under } = posting;
  const { html: caption, keyboard } = under
    ? await cardOf(services, at, under)
    : { html: "", keyboard: keyboardOf([]) };
  const whole = { ...posting, services, caption, keyboard };
  let limit = uploadLimit(services);
  return firstTaken(
    ways.map((way) => () => way(whole, file, limit)),
    (err) => {
      const meaning = meaningOf(err);
      if (meaning !== "refused" && meaning !== "file_too_large") return false;
      // What a server of somebody else's takes is only known from its refusal.
      if (meaning === "file_too_large") limit = Math.min(limit, file.bytes - 1);
      services.host.log.warn({ err }, "Telegram refused a result in one form; trying the next");
      return true;
    },
  );
}

/** A video that plays in the chat. */
async function asVideo(posting: Posting, file: ResultFile, limit: number): Promise<Posted | undefined> {
  const { services, keyboard, covered } = posting;
  if (file.bytes > limit) return undefined;
  const facts = await probeVideo(file.path);
  const thumbnail = await thumbnailOf(posting, file);
  const video = {
    type: "video",
    media: { source: file.path, filename: file.name },
    supports_streaming: true,
    ...captionOf(posting),
    ...(covered && { has_spoiler: true }),
    ...(facts && { width: facts.width, height: facts.height, duration: Math.round(facts.seconds) }),
    ...(thumbnail !== undefined && { thumbnail: { source: thumbnail } }),
  } as const;
  return { ...(await postMedia(services, posting, video, keyboard)), as: "video" };
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
async function asPhoto(posting: Posting, file: ResultFile): Promise<Posted | undefined> {
  const { services, keyboard, covered } = posting;
  const size = await probeImage(file.path);
  if (!size || Math.max(size.width / size.height, size.height / size.width) > TELEGRAM.photoRatio)
    return undefined;
  const fits = file.bytes <= TELEGRAM.photo && size.width + size.height <= TELEGRAM.photoSides;
  const photo = fits ? file : await smallerPicture(file, TELEGRAM.photo);
  if (!photo) return undefined;
  const shown = {
    type: "photo",
    media: { source: photo.path },
    ...captionOf(posting),
    ...(covered && { has_spoiler: true }),
  } as const;
  return { ...(await postMedia(services, posting, shown, keyboard)), as: "photo" };
}

/** A file to save, as it is. It cannot be covered; what Telegram shows of it before it is opened is a cover instead. */
async function asDocument(posting: Posting, file: ResultFile, limit: number): Promise<Posted | undefined> {
  const { services, keyboard, covered } = posting;
  if (file.bytes > limit) return undefined;
  const document = {
    type: "document",
    media: { source: file.path, filename: file.name },
    // Telegram would show what it knows its own way again, and make it smaller.
    disable_content_type_detection: true,
    ...captionOf(posting),
    ...(covered && { thumbnail: { source: await drawCover(TELEGRAM.thumbnail.side) } }),
  } as const;
  return { ...(await postMedia(services, posting, document, keyboard)), as: "document" };
}

/** Encoded again so that it fits; that also helps where Telegram could not read it as it was. */
async function asSmallerVideo(
  posting: Posting,
  file: ResultFile,
  limit: number,
): Promise<Posted | undefined> {
  const { services, at, signal } = posting;
  const { host } = services;
  // Where even less than Telegram usually takes was too much, half of it is a guess.
  const maxBytes = file.bytes > TELEGRAM.upload ? TELEGRAM.upload : file.bytes / 2;
  const smaller = await smallerForm({ ...file, kind: "video" }, { host, maxBytes, signal });
  if (!smaller) return undefined;
  const notes = notesOf(translator(at.locale), smaller, "Telegram");
  const { url } = smaller.original;
  const posted = await asVideo({ ...posting, caption: withNotes(posting, notes) }, smaller.file, limit);
  return posted && { ...posted, ...(url !== undefined && { url }) };
}

/** A link to it on our own server, where people can reach that. */
async function asLink(posting: Posting, file: ResultFile): Promise<Posted | undefined> {
  const { services, at, keyboard } = posting;
  const url = await shareResult(services.host, file);
  if (url === undefined) return undefined;
  const html = withNotes(posting, notesOf(translator(at.locale), { as: "link", url }, "Telegram"));
  const { message, chat } = await postHtml(services, posting, { html, keyboard });
  return { message, chat, as: "link", url };
}

/** Below a photo whose original Telegram does not take: that it is not the original, and where that is. */
async function asNote(posting: Posting, { bytes }: ResultFile): Promise<Posted> {
  const { services, at, keyboard } = posting;
  const smaller = { as: "smaller", original: { bytes, url: undefined } } as const;
  const html = withNotes(posting, notesOf(translator(at.locale), smaller, "Telegram"));
  const { message, chat } = await postHtml(services, posting, { html, keyboard });
  return { message, chat, as: "note" };
}

/** What is said under a file, with what is said of its form, as HTML. */
function withNotes({ caption }: Posting, notes: readonly FormNote[]): string {
  const lines = notes.map(({ text, url }) =>
    url === undefined ? escapeHtml(text) : `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`,
  );
  return [caption, ...lines].filter(Boolean).join("\n");
}

const captionOf = ({ caption }: Posting) =>
  caption === "" ? {} : ({ caption, parse_mode: "HTML" } as const);
