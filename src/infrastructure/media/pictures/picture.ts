import type { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import type { PictureFile } from "../decoder/picture.ts";
import type { Size } from "../decoder/size.ts";
import { prepareFile, type PreparedFile, type ReceivedFile } from "../files/prepared.ts";
import { isPicture } from "../files/sniff.ts";

/** A picture that is ready to be sent: upright, without metadata, within bounds; in a file of its own. */
export interface PreparedImage extends PreparedFile, Size {
  readonly type: "image/jpeg" | "image/png";
  readonly orientation: "portrait" | "landscape" | "square";
}

/** The largest picture taken, in bytes: more than any camera's. */
export const MAX_PICTURE_BYTES = 64 * 1024 * 1024;

/**
 * Prepares a picture: JPEG, PNG, WebP, AVIF, HEIC or the first frame of a GIF, told by content.
 * @param make makes the other one of it, in the decoder
 * @throws ReelayError `media_too_large` with `max` in bytes; `media_empty`; `media_type` with `found`; `media_dimensions` with `width`
 * and `height`; `media_unreadable` for what is no picture, is damaged, or takes more than the decoder's budget
 */
export function preparePicture(
  open: () => Promise<Readable>,
  { dir, maxBytes, type }: { dir: string; maxBytes: number; type: PreparedImage["type"] },
  make: (picture: PictureFile, to: string) => Promise<Size>,
): Promise<PreparedImage> {
  return prepareFile(open, dir, maxBytes, async (original, prepared) => {
    const { width, height } = await make(pictureIn(original), prepared).catch(asUnreadable);
    const orientation = width > height ? "landscape" : width < height ? "portrait" : "square";
    return { width, height, type, orientation } as const;
  });
}

/** A file that came as a picture. @throws ReelayError `media_unreadable`, `media_type` for what is certainly none */
export function pictureIn({ path, kind }: Pick<ReceivedFile, "path" | "kind">): PictureFile {
  if (kind === undefined) throw new ReelayError("media_unreadable");
  if (!isPicture(kind)) throw new ReelayError("media_type", { found: kind });
  return { path, kind };
}

/** Says of what the decoder could not do anything with that it cannot be read. */
export function asUnreadable(cause: unknown): never {
  throw cause instanceof ReelayError ? cause : new ReelayError("media_unreadable", {}, { cause });
}
