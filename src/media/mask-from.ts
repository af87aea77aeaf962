import type { Readable } from "node:stream";
import sharp from "sharp";
import { ReelayError } from "../errors.ts";
import { distanceOf, filled, from, grown, outside, type Plane } from "./mask-pixels.ts";
import { MAX_PICTURE_BYTES, preparePicture, type PreparedImage } from "./picture.ts";

type Size = Pick<PreparedImage, "width" | "height">;

/** A picture, the copy that a person painted on, and where to work on them. */
export interface MarkedCopy {
  readonly picture: () => Promise<Readable>;
  readonly marked: () => Promise<Readable>;
  /** A folder for temporary files, made where it is missing. */
  readonly dir: string;
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

/** From here on a grey counts as white, as where masks are prepared. */
const WHITE_FROM = 128;
/** Greys this near to black or white count as such, and colours this near to grey as grey. Of 255. */
const NEAR = 40;
/** So much of a picture must be black or white for it to be a mask, and so much each of the two. */
const MASK_SHARE = { both: 0.97, each: 0.001 } as const;

/**
 * Finds what a person marked in a picture: painted over a copy of it and sent back, or drawn as a mask of black
 * and white. The copy may have been scaled and recompressed on its way. What is ringed counts as marked with all
 * that is in it.
 * @returns a greyscale PNG, white where it is marked; smaller than the picture, of its shape
 * @throws ReelayError as `preparePicture`; `mask_empty` where nothing is marked; `mask_unlike` for another
 * picture, or a cropped one
 */
export async function maskFrom({ picture, marked, dir }: MarkedCopy): Promise<Buffer> {
  await using original = await small(picture, dir);
  await using copy = await small(marked, dir);
  const [before, after] = [await colours(original, original), await colours(copy, original)];
  const area = isMask(after) && !isMask(before) ? await drawn(copy) : painted(original, copy, before, after);
  if (!area.data.includes(255)) throw new ReelayError("mask_empty");
  const { data, width, height } = area;
  return sharp(data, { raw: { width, height, channels: 1 } })
    .toColourspace("b-w")
    .png()
    .toBuffer();
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
async function drawn({ path, width, height }: PreparedImage): Promise<Plane> {
  const data = await sharp(path).toColourspace("b-w").raw().toBuffer();
  return from({ data, width, height }, WHITE_FROM);
}

/** A small upright copy in a file of its own. */
async function small(open: () => Promise<Readable>, dir: string): Promise<PreparedImage & AsyncDisposable> {
  const options = { dir, maxBytes: MAX_PICTURE_BYTES, type: "image/png" } as const;
  const file = await preparePicture(open, options, (read, to) =>
    read()
      .resize({ width: SIDE, height: SIDE, fit: "inside" })
      .flatten({ background: "black" })
      .toColourspace("srgb")
      .png()
      .toFile(to),
  );
  return { ...file, [Symbol.asyncDispose]: () => file.dispose() };
}

/** A picture's softened colours at a size, three bytes a pixel. */
function colours({ path }: PreparedImage, { width, height }: Size): Promise<Uint8Array> {
  return sharp(path)
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
