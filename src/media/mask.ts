import type { Readable } from "node:stream";
import { decode } from "./decoder/decoder.ts";
import { MAX_PICTURE_BYTES, preparePicture, type PreparedImage } from "./picture.ts";

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
