import sharp, { type Sharp } from "sharp";
import { drawOverlay } from "../drawing/overlay.ts";

/** From this grey value, 0 to 255, a mask's pixel is white. */
const WHITE = 128;

/** A picture in memory; 3 channels, or 4 with an alpha one, of a byte each. */
interface Pixels {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number; readonly channels: 3 | 4 };
}

/** A rectangle of pixels. */
interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws anew what the mask marks with white; every other pixel stays what it is, to the bit.
 * @param picture path of the picture
 * @param mask path of the mask; stretched where its size differs
 * @param art draws what is put in, at a size in pixels
 */
export async function drawInpaint(
  picture: string,
  mask: string,
  art: (width: number, height: number) => Buffer,
  caption: string,
): Promise<Sharp> {
  const { data, info } = await pixels(picture);
  const { width, height, channels } = info;
  const marked = await sharp(mask)
    .flatten({ background: "#000" })
    .resize(width, height, { fit: "fill", kernel: "nearest" })
    .greyscale()
    .raw()
    .toBuffer();
  const region = bounds(marked, width);
  if (region) {
    const { left, top, ...frame } = inner(region);
    const label = { input: await drawOverlay(frame.width, frame.height, caption, undefined), left, top };
    const drawn = sharp(art(width, height)).composite([label]).toColourspace("srgb");
    const fresh = await (channels === 3 ? drawn.removeAlpha() : drawn.ensureAlpha()).raw().toBuffer();
    for (let at = 0; at < data.length; at += 1)
      if (isWhite(marked[Math.floor(at / channels)])) data[at] = fresh[at] ?? 0;
  }
  return sharp(data, { raw: { width, height, channels } });
}

async function pixels(path: string): Promise<Pixels> {
  const { data, info } = await sharp(path).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (channels !== 3 && channels !== 4) throw new Error(`a picture of ${channels} channels`);
  return { data, info: { width, height, channels } };
}

/** What of a rectangle lies inside of the oval that fills it: a mask is seldom a rectangle itself. */
function inner({ left, top, width, height }: Region): Region {
  const [x, y] = [Math.floor(width * 0.146), Math.floor(height * 0.146)];
  return { left: left + x, top: top + y, width: width - 2 * x, height: height - 2 * y };
}

function isWhite(grey = 0): boolean {
  return grey >= WHITE;
}

/** The rectangle around what is marked; undefined when nothing is. */
function bounds(marked: Buffer, width: number): Region | undefined {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let at = 0; at < marked.length; at += 1) {
    if (!isWhite(marked[at])) continue;
    const x = at % width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.floor(at / width);
    if (top < 0) top = bottom;
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}
