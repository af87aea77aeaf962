import sharp from "sharp";
import { ReelayError } from "../../../common/errors.ts";
import { openPicture, type PictureFile } from "./picture.ts";
import type { Size } from "./size.ts";

/** A mask that is to be made. */
export interface MaskOrder {
  readonly picture: PictureFile;
  /** Pixels; undefined: its own. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** A file that is made. */
  readonly to: string;
}

/** From here on a grey counts as white: what was painted with a soft brush keeps its size. */
export const WHITE_FROM = 128;

/**
 * Writes a greyscale PNG of nothing but black and white, stretched to a size.
 * @throws ReelayError as `openPicture`; `mask_empty` where nothing is white
 */
export async function makeMask({ picture, to, width, height }: MaskOrder): Promise<Size> {
  const read = await openPicture(picture);
  const info = await read()
    .flatten({ background: "black" })
    .resize(width ?? null, height ?? null, { fit: "fill" })
    .threshold(WHITE_FROM)
    .toColourspace("b-w")
    .png()
    .toFile(to);
  const { channels } = await sharp(to).stats();
  if (channels[0]?.max === 0) throw new ReelayError("mask_empty");
  return { width: info.width, height: info.height };
}

/**
 * Writes a greyscale PNG in which white marks what is fully transparent in a picture.
 * @throws ReelayError as `openPicture`; `mask_empty` where nothing is
 */
export async function maskOfHoles({ picture, to }: Pick<MaskOrder, "picture" | "to">): Promise<Size> {
  const read = await openPicture(picture);
  const opacity = await read().ensureAlpha().extractChannel("alpha").png().toBuffer();
  const { width, height } = await sharp(opacity).threshold(1).negate().toColourspace("b-w").png().toFile(to);
  const { channels } = await sharp(to).stats();
  if (channels[0]?.max === 0) throw new ReelayError("mask_empty");
  return { width, height };
}
