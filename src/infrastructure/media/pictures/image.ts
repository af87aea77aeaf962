import type { Readable } from "node:stream";
import { decode } from "../decoder/decoder.ts";
import type { Size } from "../decoder/size.ts";
import { asUnreadable, MAX_PICTURE_BYTES, pictureIn, preparePicture, type PreparedImage } from "./picture.ts";
import type { ReceivedFile } from "../files/prepared.ts";
import { Remembered } from "../remembered.ts";

export type { PreparedImage } from "./picture.ts";

/** Bounds of a picture, and where to work on it. */
export interface PrepareOptions {
  /** A folder for temporary files, made where it is missing. */
  readonly dir: string;
  /** The largest file taken, in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Larger pictures are scaled down to it, in pixels. Default 4096: more than any result has. */
  readonly maxSide?: number;
  /** What is sent is made to fit into it, in bytes: image pro takes 4 MB each (section 8.2). */
  readonly maxFileBytes?: number;
}

/**
 * Makes any picture fit to be sent, as JPEG. Its orientation is applied, then all metadata (the place above
 * all) is left out, colours become sRGB and see-through parts white: a video has none. It is never enlarged.
 * @param open opens the file; what it throws is passed on
 * @throws ReelayError as {@link preparePicture}; `media_too_large` with `max` also where it cannot be made to
 * fit into `maxFileBytes`
 */
export function prepareImage(
  open: () => Promise<Readable>,
  { dir, maxBytes = MAX_PICTURE_BYTES, maxSide = 4096, maxFileBytes }: PrepareOptions,
): Promise<PreparedImage> {
  return preparePicture(open, { dir, maxBytes, type: "image/jpeg" }, (picture, to) =>
    decode("makeImage", { picture, to, maxSide, maxFileBytes }),
  );
}

/** Enough to have seen all of a picture, in pixels: most of the work of making it as it is sent is left out. */
const LOOKED_AT = 320;

const checked = new Remembered<Size>();

/**
 * Looks at a picture as {@link prepareImage} does; one that was in order before is not decoded again.
 * @throws ReelayError as {@link prepareImage}
 */
export async function checkImage(file: ReceivedFile): Promise<void> {
  const picture = pictureIn(file);
  await checked.of(file.digest, () =>
    decode("makeImage", { picture, maxSide: LOOKED_AT }).catch(asUnreadable),
  );
}

/** Whether a picture was in order before. @param digest its SHA-256 */
export async function wasInOrder(digest: string): Promise<boolean> {
  const size = await checked.known(digest)?.catch(() => undefined);
  return size !== undefined;
}
