import sharp from "sharp";
import { ReelayError } from "../../../common/errors.ts";

/** A picture is divided into so many rows and columns. */
export const REGIONS_PER_SIDE = 3;
/** Pixels of one region: a mask is stretched over its picture, and its edges stay sharp enough then. */
const REGION_SIDE = 100;

/**
 * A mask of whole regions of any picture.
 * @param regions which of the nine are marked, row by row from the top left, from 0
 * @returns a greyscale PNG, white where it is marked
 * @throws ReelayError `mask_empty` for none
 */
export async function maskOfRegions(regions: readonly number[]): Promise<Buffer> {
  if (regions.length === 0) throw new ReelayError("mask_empty");
  const side = REGIONS_PER_SIDE;
  const data = Uint8Array.from({ length: side ** 2 }, (_, region) => (regions.includes(region) ? 255 : 0));
  return sharp(data, { raw: { width: side, height: side, channels: 1 } })
    .resize({ width: side * REGION_SIDE, kernel: "nearest" })
    .toColourspace("b-w")
    .png()
    .toBuffer();
}
