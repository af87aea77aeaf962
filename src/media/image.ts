import { createReadStream, createWriteStream, type ReadStream } from "node:fs";
import { chmod, mkdir, mkdtemp, open as openFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import sharp, { type OutputInfo } from "sharp";
import { ReelayError } from "../errors.ts";
import { limited } from "./limited.ts";
import { isPictureType, sniff, SNIFF_BYTES } from "./sniff.ts";

/** A picture that is ready to be sent: upright, without metadata, within bounds; in a file of its own. */
export interface PreparedImage {
  readonly path: string;
  /** Its exact size. */
  readonly bytes: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly type: "image/jpeg";
  readonly orientation: "portrait" | "landscape" | "square";
  open(): ReadStream;
  /** Removes its file. */
  dispose(): Promise<void>;
}

/** Bounds of a picture, and where to work on it. */
export interface PrepareOptions {
  /** A folder for temporary files, made where it is missing. */
  readonly dir: string;
  /** The largest file taken, in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Larger pictures are scaled down to it, in pixels. Default 4096: more than any result has. */
  readonly maxSide?: number;
}

/** Room for the 108 megapixels of a phone; what claims to have more is taken for a bomb. */
const MAX_PIXELS = 120_000_000;
/** No honest picture takes this long to decode. */
const MAX_SECONDS = 60;
/** Beyond this the eye sees no gain, and the upload only grows. */
const JPEG_QUALITY = 90;

// Every picture is read once, from a path that never comes back.
sharp.cache(false);

/**
 * Makes any picture fit to be sent. JPEG, PNG, WebP, AVIF and the first frame of a GIF, told by content.
 * Its orientation is applied, then all metadata (the place above all) is left out, colours become sRGB and
 * see-through parts white: a video has none.
 * @param open opens the file; what it throws is passed on
 * @throws ReelayError `media_too_large` with `max` in bytes; `media_type` with `found`;
 * `media_unreadable` for what is no picture, is damaged, or has more than 120 megapixels
 */
export async function prepareImage(
  open: () => Promise<Readable>,
  { dir, maxBytes = 64 * 1024 * 1024, maxSide = 4096 }: PrepareOptions,
): Promise<PreparedImage> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(dir, "picture-"));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const original = join(folder, "original");
    await pipeline(await open(), limited(maxBytes), createWriteStream(original, { mode: 0o600 }));
    await checkType(original);
    const path = join(folder, "prepared.jpg");
    const { width, height, size } = await convert(original, path, maxSide);
    await chmod(path, 0o600);
    await rm(original);
    return {
      path,
      bytes: size,
      width,
      height,
      type: "image/jpeg",
      orientation: width > height ? "landscape" : width < height ? "portrait" : "square",
      open: () => createReadStream(path),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function checkType(path: string): Promise<void> {
  await using file = await openFile(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(SNIFF_BYTES) });
  const found = sniff(buffer.subarray(0, bytesRead));
  if (found === undefined) throw new ReelayError("media_unreadable");
  if (!isPictureType(found)) throw new ReelayError("media_type", { found });
}

async function convert(from: string, to: string, maxSide: number): Promise<OutputInfo> {
  try {
    return await sharp(from, { limitInputPixels: MAX_PIXELS, failOn: "error" })
      .timeout({ seconds: MAX_SECONDS })
      .autoOrient()
      .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .toColourspace("srgb")
      .jpeg({ quality: JPEG_QUALITY })
      .toFile(to);
  } catch (cause) {
    throw new ReelayError("media_unreadable", {}, { cause });
  }
}
