import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import sharp from "sharp";
import { MAX_PICTURE_BYTES, preparePicture } from "./picture.ts";

/** Pixels of the longer side: what a chat shows of a photo. */
const SIDE = 1024;
/** What is marked shines through. */
const TINT = { colour: { r: 255, g: 0, b: 90 }, strength: 0.6 } as const;
const JPEG_QUALITY = 85;

/**
 * Shows which part of a picture a mask marks.
 * @param open opens the picture; what it throws is passed on
 * @param mask a greyscale PNG, stretched over the whole picture
 * @param dir a folder for temporary files, made where it is missing
 * @returns a JPEG
 * @throws ReelayError as `preparePicture`
 */
export async function previewMask(open: () => Promise<Readable>, mask: Buffer, dir: string): Promise<Buffer> {
  const options = { dir, maxBytes: MAX_PICTURE_BYTES, type: "image/jpeg" } as const;
  const file = await preparePicture(open, options, async (read, to) => {
    const base = await read()
      .resize({ width: SIDE, height: SIDE, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .toColourspace("srgb")
      .png()
      .toBuffer({ resolveWithObject: true });
    return sharp(base.data)
      .composite([{ input: await tint(mask, base.info) }])
      .jpeg({ quality: JPEG_QUALITY })
      .toFile(to);
  });
  try {
    return await readFile(file.path);
  } finally {
    await file.dispose();
  }
}

/** A layer of colour, as thick as the mask is white. */
async function tint(mask: Buffer, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const alpha = await sharp(mask)
    .resize({ width, height, fit: "fill" })
    .toColourspace("b-w")
    .linear(TINT.strength, 0)
    .raw()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: TINT.colour } })
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}
