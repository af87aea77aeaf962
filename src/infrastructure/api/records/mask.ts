import { z } from "zod";
import type { Fields } from "../transport/answer.ts";
import { number, text } from "./values.ts";

/** A picture and its mask, encoded for inpainting (section 4.11). */
export interface EncodedMask {
  readonly imageBase64: string;
  readonly maskBase64: string;
  /** Pixels, like the next three. */
  readonly imageWidth: number | null;
  readonly imageHeight: number | null;
  readonly maskWidth: number | null;
  readonly maskHeight: number | null;
  readonly imageMime: string | null;
  readonly maskMime: string | null;
}

const encoded = z.looseObject({
  image_base64: text,
  mask_base64: text,
  image_width: number,
  image_height: number,
  mask_width: number,
  mask_height: number,
  image_mime: text,
  mask_mime: text,
});

/** Undefined where the answer holds no picture or no mask. */
export function readEncodedMask(raw: Fields): EncodedMask | undefined {
  const read = encoded.parse(raw);
  if (!read.image_base64 || !read.mask_base64) return undefined;
  return {
    imageBase64: read.image_base64,
    maskBase64: read.mask_base64,
    imageWidth: read.image_width,
    imageHeight: read.image_height,
    maskWidth: read.mask_width,
    maskHeight: read.mask_height,
    imageMime: read.image_mime,
    maskMime: read.mask_mime,
  };
}
