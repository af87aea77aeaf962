import { ReelayError } from "../../../common/errors.ts";
import { type FileSource, isFileSource } from "../transport/file.ts";
import type { Part } from "../transport/multipart-body.ts";
import type { FileValue } from "./fields.ts";
import type { EncodeMaskRequest } from "./images.ts";
import type { ImgproEditRequest, ImgproReferenceRequest } from "./imgpro.ts";
import type { Vid3Request } from "./vid3.ts";

/*
 * Requests as forms, where the contract offers it: files are parts of their own then, under other names.
 */

/** Section 4.8: sounds are `audio_1` to `audio_3`. */
export function* vid3Parts({ images, audios = [], ...fields }: Vid3Request): Generator<Part> {
  yield* scalars(fields);
  for (const image of images) yield ["images", source("images", image)];
  for (const [index, audio] of audios.entries()) yield [`audio_${index + 1}`, source("audios", audio)];
}

/** Section 4.9: pictures are `imgpro_image_0` to `imgpro_image_4`. */
export function* imgproParts({
  images,
  ...fields
}: ImgproEditRequest | ImgproReferenceRequest): Generator<Part> {
  yield* scalars(fields);
  for (const [index, image] of images.entries()) yield [`imgpro_image_${index}`, source("images", image)];
}

/** Section 4.11. */
export function* maskParts({ image_base64, mask_base64 }: EncodeMaskRequest): Generator<Part> {
  yield ["image", source("image_base64", image_base64)];
  yield ["mask", source("mask_base64", mask_base64)];
}

function* scalars(fields: Readonly<Record<string, string | number | boolean | undefined>>): Generator<Part> {
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) yield [name, value];
}

/** @throws ReelayError `field_invalid` where there is only text */
function source(field: string, value: FileValue): FileSource {
  if (isFileSource(value)) return value;
  throw new ReelayError("field_invalid", { field, wanted: "a file" });
}
