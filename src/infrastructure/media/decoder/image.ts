import type { OutputInfo, Sharp } from "sharp";
import { ReelayError } from "../../../common/errors.ts";
import { openPicture, type PictureFile } from "./picture.ts";
import type { Size } from "./size.ts";

/** What is to be made of a picture. */
export interface ImageOrder {
  readonly picture: PictureFile;
  /** A file that is made; undefined: what comes of it is thrown away. */
  readonly to?: string;
  /** Larger pictures are scaled down to it, in pixels. */
  readonly maxSide: number;
  /** It is made to fit into it, in bytes; undefined: whatever comes of it. */
  readonly maxFileBytes?: number | undefined;
}

/** Beyond the first the eye sees no gain, and the upload only grows; the second still looks untouched. */
const JPEG_QUALITY = { usual: 90, least: 80 } as const;
/** Each step aims at the bound from what the last one came to, so that two or three are enough. */
const MAX_STEPS = 6;
/** Fewer pixels hold more detail each: aim a little below the bound. */
const AIM = 0.95;

/**
 * Writes a picture as JPEG: without metadata, in sRGB, what can be seen through white. It is never enlarged.
 * @throws ReelayError as `openPicture`; `media_too_large` with `max` where it cannot be made to fit
 */
export async function makeImage({
  picture,
  to,
  maxSide,
  maxFileBytes = Infinity,
}: ImageOrder): Promise<Size> {
  const read = await openPicture(picture);
  let info = await write(read(), to, maxSide, JPEG_QUALITY.usual);
  let side = Math.max(info.width, info.height);
  for (let step = 0; info.size > maxFileBytes; step++) {
    if (step === MAX_STEPS) throw new ReelayError("media_too_large", { max: maxFileBytes });
    // A little quality goes first, then pixels.
    if (step > 0) side = Math.max(1, Math.floor(side * AIM * Math.sqrt(maxFileBytes / info.size)));
    info = await write(read(), to, side, JPEG_QUALITY.least);
  }
  const { width, height } = info;
  return { width, height };
}

async function write(
  picture: Sharp,
  to: string | undefined,
  side: number,
  quality: number,
): Promise<OutputInfo> {
  const made = picture
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .jpeg({ quality });
  return to === undefined ? (await made.toBuffer({ resolveWithObject: true })).info : made.toFile(to);
}
