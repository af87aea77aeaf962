import type { Readable } from "node:stream";
import { decode } from "../decoder/decoder.ts";
import type { Size } from "../decoder/size.ts";
import { asUnreadable, MAX_PICTURE_BYTES, pictureIn, preparePicture, type PreparedImage } from "./picture.ts";
import type { ReceivedFile } from "../files/prepared.ts";
import { Remembered } from "../remembered.ts";

/** The prepared picture that a mask belongs to, and where to work on the mask. */
export interface MaskOptions {
  /** A folder for temporary files, made where it is missing. */
  readonly dir: string;
  /** Pixels of the prepared picture; left out, it keeps its own size. */
  readonly width?: number;
  readonly height?: number;
}

/**
 * Makes a mask fit to be sent: a greyscale PNG in which white marks the region (section 4.12) and everything
 * else, what can be seen through too, is black. It gets exactly the size of its picture: one of another shape
 * is stretched over the whole of it, because what was painted on a smaller copy is meant to cover the same parts.
 * @param open opens the file; what it throws is passed on
 * @throws ReelayError as {@link preparePicture}; `mask_empty` where nothing is white
 */
export function prepareMask(
  open: () => Promise<Readable>,
  { dir, width, height }: MaskOptions,
): Promise<PreparedImage> {
  const options = { dir, maxBytes: MAX_PICTURE_BYTES, type: "image/png" } as const;
  return preparePicture(open, options, (picture, to) => decode("makeMask", { picture, to, width, height }));
}

const checked = new Remembered<Size>();

/**
 * Looks at a mask as {@link prepareMask} does; one that was in order before is not decoded again.
 * @throws ReelayError as {@link prepareMask}
 */
export async function checkMask(file: ReceivedFile): Promise<void> {
  const order = { picture: pictureIn(file), to: file.beside("mask") };
  await checked.of(file.digest, () => decode("makeMask", order).catch(asUnreadable));
}
