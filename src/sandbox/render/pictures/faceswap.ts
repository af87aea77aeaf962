import sharp, { type Sharp } from "sharp";
import { drawOverlay } from "../drawing/overlay.ts";

/** A larger target is scaled down to this many pixels a side. */
export const MAX_SIDE = 2048;
/** Width and height of the oval, as parts of the target's smaller side. */
const OVAL = { width: 0.4, height: 0.52 };

/**
 * Lays what catches the eye in the source, as an oval with soft edges, over what catches it in the target.
 * @param target path of the picture that is kept
 * @param source path of the picture whose middle is taken
 */
export async function drawFaceswap(target: string, source: string, caption: string): Promise<Sharp> {
  const { data, info } = await sharp(target)
    .resize(MAX_SIDE, MAX_SIDE, { fit: "inside", withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
  const side = Math.min(info.width, info.height);
  const width = Math.max(1, Math.round(side * OVAL.width));
  const height = Math.max(1, Math.round(side * OVAL.height));
  const face = await sharp(source)
    .resize(width, height, { fit: "cover", position: sharp.strategy.attention })
    .ensureAlpha()
    .composite([{ input: oval(width, height), blend: "dest-in" }])
    .png()
    .toBuffer();
  const { x, y } = await focus(data, side);
  return sharp(data).composite([
    { input: face, left: within(x, width, info.width), top: within(y, height, info.height) },
    { input: await drawOverlay(info.width, info.height, caption, undefined) },
  ]);
}

/** Where something begins that is to have its middle there, as far as it stays within. */
function within(middle: number, size: number, room: number): number {
  return Math.round(Math.min(room - size, Math.max(0, middle - size / 2)));
}

/** Where the eye goes first, in pixels. A PNG has no shrink-on-load, which would distort what sharp tells. */
async function focus(png: Buffer, side: number): Promise<{ readonly x: number; readonly y: number }> {
  const square = Math.min(side, 256);
  const { info } = await sharp(png)
    .resize(square, square, { fit: "cover", position: sharp.strategy.attention })
    .toBuffer({ resolveWithObject: true });
  const scale = side / square;
  return { x: (info.attentionX ?? 0) * scale, y: (info.attentionY ?? 0) * scale };
}

function oval(width: number, height: number): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <defs><radialGradient id="o"><stop offset="0.72" stop-color="#fff"/><stop offset="1" stop-opacity="0"/></radialGradient></defs>
      <ellipse cx="50%" cy="50%" rx="50%" ry="50%" fill="url(#o)"/></svg>`,
  );
}
