import type { Readable } from "node:stream";
import sharp, { type OutputInfo, type Sharp } from "sharp";
import { ReelayError } from "../errors.ts";
import { prepareFile, type PreparedFile } from "./prepared.ts";
import { isPicture } from "./sniff.ts";

/** A picture that is ready to be sent: upright, without metadata, within bounds; in a file of its own. */
export interface PreparedImage extends PreparedFile {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly type: "image/jpeg" | "image/png";
  readonly orientation: "portrait" | "landscape" | "square";
}

/** The largest picture taken, in bytes: more than any camera's. */
export const MAX_PICTURE_BYTES = 64 * 1024 * 1024;

/** Room for the 108 megapixels of a phone; what claims to have more is taken for a bomb. */
const MAX_PIXELS = 120_000_000;
/** No honest picture takes this long to decode. */
const MAX_SECONDS = 60;

// Every picture is read once, from a path that never comes back.
sharp.cache(false);

/**
 * Prepares a picture: JPEG, PNG, WebP, AVIF or the first frame of a GIF, told by content.
 * @param write writes what `read` reads, which is upright already
 * @throws ReelayError `media_too_large` with `max` in bytes; `media_type` with `found`;
 * `media_unreadable` for what is no picture, is damaged, or has more than 120 megapixels
 */
export function preparePicture(
  open: () => Promise<Readable>,
  { dir, maxBytes, type }: { dir: string; maxBytes: number; type: PreparedImage["type"] },
  write: (read: () => Sharp, to: string) => Promise<OutputInfo>,
): Promise<PreparedImage> {
  return prepareFile(open, dir, maxBytes, async ({ original, kind, prepared }) => {
    if (kind === undefined) throw new ReelayError("media_unreadable");
    if (!isPicture(kind)) throw new ReelayError("media_type", { found: kind });
    const { width, height } = await write(() => decode(original), prepared).catch(asUnreadable);
    const orientation = width > height ? "landscape" : width < height ? "portrait" : "square";
    return { width, height, type, orientation } as const;
  });
}

function decode(path: string): Sharp {
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: "error" })
    .timeout({ seconds: MAX_SECONDS })
    .autoOrient();
}

function asUnreadable(cause: unknown): never {
  throw cause instanceof ReelayError ? cause : new ReelayError("media_unreadable", {}, { cause });
}
