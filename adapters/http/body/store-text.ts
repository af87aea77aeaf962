import { Readable } from "node:stream";
import type { MediaRef } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { HeldFiles, Hold } from "../../../src/infrastructure/media/files/held-files.ts";
import { decoded } from "./base64.ts";
import { BODY_BOUNDS } from "./bounds.ts";

/**
 * A file that was given as text: base64 and data URIs are stored, an address stays one and is opened when it is needed.
 * @param field of the operation's input
 * @throws ReelayError `field_not_file`, `field_too_long`, `media_too_large`, each with the field
 */
export async function storeText(
  field: string,
  text: string,
  files: HeldFiles,
  hold: Hold,
): Promise<MediaRef> {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
    const max = BODY_BOUNDS.address;
    if (text.length > max) throw new ReelayError("field_too_long", { field, max });
    return { surface: "http", id: text };
  }
  try {
    const { id, bytes } = await files.put(Readable.from(decoded([text])), BODY_BOUNDS.fileBytes, hold);
    return { surface: "http", id, bytes };
  } catch (error) {
    if (error instanceof ReelayError)
      throw new ReelayError(error.code, { ...error.params, field }, { cause: error });
    throw error;
  }
}
