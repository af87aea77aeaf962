import sharp from "sharp";
import type { TelegramLimits } from "./limits.ts";
import { badRequest } from "./refusal.ts";

/** A picture with its size in pixels. */
export interface Picture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The sides that Telegram scales photos to. */
const SIDES = [90, 320, 800, 1280, 2560];

const scaled = new WeakMap<Buffer, Promise<readonly Picture[]>>();

/**
 * The sizes in which Telegram offers a person's photo: upright, without EXIF, smallest first. A picture that a
 * thousand people send is scaled once.
 */
export function photoSizes(bytes: Buffer): Promise<readonly Picture[]> {
  const sizes = scaled.get(bytes) ?? scale(bytes);
  scaled.set(bytes, sizes);
  return sizes;
}

async function scale(bytes: Buffer): Promise<readonly Picture[]> {
  const { autoOrient } = await sharp(bytes).metadata();
  const longest = Math.max(autoOrient.width, autoOrient.height);
  // One size beyond the photo's own is the photo itself: Telegram never enlarges.
  const sides = SIDES.slice(0, SIDES.filter((side) => side < longest).length + 1);
  return Promise.all(
    sides.map(async (side) => {
      const { data, info } = await sharp(bytes)
        .autoOrient()
        .resize(side, side, { fit: "inside", withoutEnlargement: true })
        .jpeg({ quality: 87 })
        .toBuffer({ resolveWithObject: true });
      return { bytes: data, width: info.width, height: info.height };
    }),
  );
}

/**
 * Measures a photo that a bot sends.
 * @throws Refusal when it is too large, too long and narrow, or no picture
 */
export async function readPhoto(bytes: Buffer, limits: TelegramLimits): Promise<Picture> {
  if (bytes.length > limits.photoBytes) {
    throw badRequest(
      `file of size ${bytes.length} bytes is too big for a photo; the maximum size is ${limits.photoBytes} bytes`,
    );
  }
  const { autoOrient } = await sharp(bytes)
    .metadata()
    .catch(() => {
      throw badRequest("IMAGE_PROCESS_FAILED");
    });
  const { width, height } = autoOrient;
  if (width + height > limits.photoSides || Math.max(width / height, height / width) > limits.photoRatio) {
    throw badRequest("PHOTO_INVALID_DIMENSIONS");
  }
  return { bytes, width, height };
}

/**
 * Measures a thumbnail. Telegram drops an unfit one without a word; the fake refuses it, so that tests notice.
 * @throws Refusal when it is no JPEG or too large
 */
export async function readThumbnail(bytes: Buffer, limits: TelegramLimits): Promise<Picture> {
  const { format, width, height } = await sharp(bytes)
    .metadata()
    .catch(() => {
      throw badRequest("the thumbnail is no picture");
    });
  if (format !== "jpeg") throw badRequest("the thumbnail must be a JPEG");
  if (bytes.length > limits.thumbnailBytes) throw badRequest("the thumbnail has too many bytes");
  if (Math.max(width, height) > limits.thumbnailSide) throw badRequest("the thumbnail is too wide or high");
  return { bytes, width, height };
}
