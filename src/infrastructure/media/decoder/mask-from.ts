import sharp from "sharp";
import { ReelayError } from "../../../common/errors.ts";
import { WHITE_FROM } from "./mask.ts";
import { distanceOf, filled, from, grown, outside, type Plane } from "./mask-pixels.ts";
import { openPicture, type PictureFile } from "./picture.ts";
import type { Size } from "./size.ts";

/** A picture, and the copy that a person painted on. */
export interface MarkedOrder {
  readonly picture: PictureFile;
  readonly marked: PictureFile;
  /** A file that is made. */
  readonly to: string;
}

/** A small upright copy, as PNG. */
interface SmallCopy extends Size {
  readonly png: Buffer;
}

/** Pixels of the longer side at which both are compared: a finger is less exact than this. */
const SIDE = 640;
/** Takes off the noise of a recompression, in pixels. */
const SOFTEN = 1.2;
/** Messengers round sides to whole pixels: this much may the shapes differ. */
const SHAPE_TOLERANCE = 0.02;
/** Channels differ this much through paint, and never through a recompression. Of 255. */
const PAINT_FROM = 32;
/** Widths in pixels: what is thinner is no brush; gaps between strokes that are narrower are closed. */
const SPECK = 2;
const GAP = 4;
/**
 * A copy that was moved or cut, or is of another picture, differs nearly everywhere a little. Measured: this share
 * of what was not painted differs this much (of 255) after a 2% crop, and a tenth of it after JPEG at quality 50.
 */
const ASTRAY = { from: 20, share: 0.025 } as const;
/** Pixels beside paint that say nothing: it is smeared into them. */
const SMEAR = 6;
/** Without at least this share left unpainted it cannot be told whose copy it is. */
const MIN_REST = 0.05;

/** Greys this near to black or white count as such, and colours this near to grey as grey. Of 255. */
const NEAR = 40;
/** So much of a picture must be black or white for it to be a mask, and so much each of the two. */
const MASK_SHARE = { both: 0.97, each: 0.001 } as const;

/**
 * Finds what a person marked in a picture: painted over a copy of it, or drawn as a mask of black and white. Writes a
 * greyscale PNG, white where it is marked; smaller than the picture, of its shape.
 * @throws ReelayError as `openPicture`; `mask_empty`, `mask_unlike`
 */
export async function findMask({ picture, marked, to }: MarkedOrder): Promise<Size> {
  const [original, copy] = [await small(picture), await small(marked)];
  const [before, after] = [await colours(original, original), await colours(copy, original)];
  const area = isMask(after) && !isMask(before) ? await drawn(copy) : painted(original, copy, before, after);
  if (!area.data.includes(255)) throw new ReelayError("mask_empty");
  const { data, width, height } = area;
  await sharp(data, { raw: { width, height, channels: 1 } })
    .toColourspace("b-w")
    .png()
    .toFile(to);
  return { width, height };
}

/** What was painted over a copy. */
function painted(original: Size, copy: Size, before: Uint8Array, after: Uint8Array): Plane {
  const { width, height } = original;
  const shapes = (copy.width * height) / (copy.height * width);
  if (Math.abs(shapes - 1) > SHAPE_TOLERANCE) throw new ReelayError("mask_unlike");
  const distance = { data: distanceOf(before, after), width, height };
  const strokes = grown(grown(from(distance, PAINT_FROM), -SPECK), SPECK + GAP);
  const area = filled(grown(strokes, -GAP));
  const rest = outside(distance, grown(area, SMEAR));
  const astray = rest.filter((value) => value >= ASTRAY.from);
  if (rest.length < MIN_REST * distance.data.length || astray.length > ASTRAY.share * rest.length)
    throw new ReelayError("mask_unlike");
  return area;
}

/** A mask of black and white, as it is. */
async function drawn({ png, width, height }: SmallCopy): Promise<Plane> {
  const data = await sharp(png).toColourspace("b-w").raw().toBuffer();
  return from({ data, width, height }, WHITE_FROM);
}

async function small(picture: PictureFile): Promise<SmallCopy> {
  const read = await openPicture(picture);
  const { data, info } = await read()
    .resize({ width: SIDE, height: SIDE, fit: "inside" })
    .flatten({ background: "black" })
    .toColourspace("srgb")
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

/** A picture's softened colours at a size, three bytes a pixel. */
function colours({ png }: SmallCopy, { width, height }: Size): Promise<Uint8Array> {
  return sharp(png)
    .resize({ width, height, fit: "fill" })
    .blur(SOFTEN)
    .toColourspace("srgb")
    .raw()
    .toBuffer();
}

/** Whether a picture is nothing but black and white. */
function isMask(colours: Uint8Array): boolean {
  let black = 0;
  let white = 0;
  for (let at = 0; at < colours.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = [colours[at], colours[at + 1], colours[at + 2]];
    if (Math.max(red, green, blue) < NEAR) black++;
    else if (Math.min(red, green, blue) > 255 - NEAR) white++;
  }
  const all = colours.length / 3;
  return black + white > MASK_SHARE.both * all && Math.min(black, white) > MASK_SHARE.each * all;
}
