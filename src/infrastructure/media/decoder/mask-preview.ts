import sharp from "sharp";
import { openPicture, type PictureFile } from "./picture.ts";
import type { Size } from "./size.ts";

/** What is to be shown of a mask. */
export interface PreviewOrder {
  readonly picture: PictureFile;
  /** A greyscale PNG of ours, stretched over the whole picture. */
  readonly mask: string;
  /** A file that is made. */
  readonly to: string;
}

/** Pixels of the longer side: what a chat shows of a photo. */
const SIDE = 1024;
/** What is marked shines through. */
const TINT = { colour: { r: 255, g: 0, b: 90 }, strength: 0.6 } as const;
const JPEG_QUALITY = 85;

/** Writes a JPEG of a picture with what is marked in it. @throws ReelayError as `openPicture` */
export async function showMask({ picture, mask, to }: PreviewOrder): Promise<Size> {
  const read = await openPicture(picture);
  const { data, info } = await read()
    .resize({ width: SIDE, height: SIDE, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .png()
    .toBuffer({ resolveWithObject: true });
  await sharp(data)
    .composite([{ input: await tint(mask, info) }])
    .jpeg({ quality: JPEG_QUALITY })
    .toFile(to);
  return { width: info.width, height: info.height };
}

/** A layer of colour, as thick as the mask is white. */
async function tint(mask: string, { width, height }: Size): Promise<Buffer> {
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
