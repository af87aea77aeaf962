import type { Readable } from "node:stream";
import { ReelayError } from "../../../src/common/errors.ts";
import { keptName } from "../../../src/seam/text/kept-name.ts";
import { seenWords } from "../../../src/seam/text/cut.ts";
import type { MediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import type { MediaRef } from "../../../src/seam/values.ts";
import type { Sound } from "../../kit/drafts/sounds.ts";
import { contentsIn, fetchFile, type Patience, Unreached } from "../../kit/files/fetch-file.ts";
import { bareType, isPictureFile } from "../../kit/files/kinds.ts";
import { ownFile } from "../../kit/files/own-files.ts";
import type { CloudApi } from "../api/client.ts";
import { meaningOf } from "../api/errors.ts";
import { WHATSAPP } from "../api/limits.ts";
import type { WhatsAppMessage } from "./update.ts";

const refOf = ({ id, filename }: NonNullable<WhatsAppMessage["document"]>): MediaRef => ({
  surface: "whatsapp",
  id,
  ...(filename !== undefined && { name: keptName(filename) }),
});

/** The picture that a message brings: as a photo, as a sticker, or as a file. */
export function pictureIn({ image, sticker, document }: WhatsAppMessage): MediaRef | undefined {
  const shown = image ?? sticker;
  if (shown) return refOf(shown);
  return document && isPictureFile(document.mime_type, document.filename) ? refOf(document) : undefined;
}

/** The video that a message brings. */
export function videoIn({ video, document }: WhatsAppMessage): MediaRef | undefined {
  if (video) return refOf(video);
  return document && bareType(document.mime_type).startsWith("video/") ? refOf(document) : undefined;
}

/** The sound that a message brings: recorded, as music, or as a file. How long it is, WhatsApp does not tell. */
export function soundIn({ audio, document }: WhatsAppMessage): Sound | undefined {
  const file =
    audio ?? (document && bareType(document.mime_type).startsWith("audio/") ? document : undefined);
  return file && { file: refOf(file), type: bareType(file.mime_type) || undefined, seconds: undefined };
}

/** What somebody wrote, in a message or under a file. */
export const wordsIn = ({ text, image, video, document }: WhatsAppMessage) =>
  seenWords(text?.body ?? image?.caption ?? video?.caption ?? document?.caption ?? "");

/**
 * Opens a file that a person sent, or that was made here, which is among `files`.
 * @param patience how long it is tried where Meta's servers fail
 * @throws ReelayError `media_gone`, `media_too_large`; `media_unreached` where trying again may help
 */
export async function openMedia(
  { api, files }: { readonly api: CloudApi; readonly files: MediaFiles },
  { id }: MediaRef,
  patience?: Patience,
): Promise<Readable> {
  const own = ownFile(id);
  if (own !== undefined) return files.open(own);
  return fetchFile(async (signal) => {
    // Its address may have expired between asking for it and opening it: then another one is asked for.
    const contents = (await contentsOf(api, id, signal)) ?? (await contentsOf(api, id, signal));
    if (!contents) throw new ReelayError("media_gone");
    return contents;
  }, patience);
}

async function contentsOf(api: CloudApi, id: string, signal: AbortSignal) {
  const answer = await api.open(id, signal).catch((cause: unknown) => {
    const meaning = meaningOf(cause);
    if (meaning === "gone" || meaning === "refused") throw new ReelayError("media_gone", {}, { cause });
    throw new Unreached("The file could not be asked for", { cause });
  });
  return contentsIn(answer, WHATSAPP.document);
}
