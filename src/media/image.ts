import type { Readable } from "node:stream";
import type { OutputInfo, Sharp } from "sharp";
import { ReelayError } from "../errors.ts";
import { MAX_PICTURE_BYTES, preparePicture, type PreparedImage } from "./picture.ts";

export type { PreparedImage } from "./picture.ts";

/** Bounds of a picture, and where to work on it. */
export interface PrepareOptions {
  /** A folder for temporary files, made where it is missing. */
  readonly dir: string;
  /** The largest file taken, in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Larger pictures are scaled down to it, in pixels. Default 4096: more than any result has. */
  readonly maxSide?: number;
  /** What is sent is made to fit into it, in bytes: image pro takes 4 MB each (section 8.2). */
  readonly maxFileBytes?: number;
}

/** Beyond the first the eye sees no gain, and the upload only grows; the second still looks untouched. */
const JPEG_QUALITY = { usual: 90, least: 80 } as const;
/** Each step aims at the bound from what the last one came to, so that two or three are enough. */
const MAX_STEPS = 6;
/** Fewer pixels hold more detail each: aim a little below the bound. */
const AIM = 0.95;

/**
 * Makes any picture fit to be sent, as JPEG. Its orientation is applied, then all metadata (the place above
 * all) is left out, colours become sRGB and see-through parts white: a video has none. It is never enlarged.
 * @param open opens the file; what it throws is passed on
 * @throws ReelayError as {@link preparePicture}; `media_too_large` with `max` also where it cannot be made to
 * fit into `maxFileBytes`
 */
export function prepareImage(
  open: () => Promise<Readable>,
  { dir, maxBytes = MAX_PICTURE_BYTES, maxSide = 4096, maxFileBytes = Infinity }: PrepareOptions,
): Promise<PreparedImage> {
  return preparePicture(open, { dir, maxBytes, type: "image/jpeg" }, async (read, to) => {
    let info = await write(read(), to, maxSide, JPEG_QUALITY.usual);
    let side = Math.max(info.width, info.height);
    for (let step = 0; info.size > maxFileBytes; step++) {
      if (step === MAX_STEPS) throw new ReelayError("media_too_large", { max: maxFileBytes });
      // A little quality goes first, then pixels.
      if (step > 0) side = Math.max(1, Math.floor(side * AIM * Math.sqrt(maxFileBytes / info.size)));
      info = await write(read(), to, side, JPEG_QUALITY.least);
    }
    return info;
  });
}

function write(picture: Sharp, to: string, side: number, quality: number): Promise<OutputInfo> {
  return picture
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .jpeg({ quality })
    .toFile(to);
}
