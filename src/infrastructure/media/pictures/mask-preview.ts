import { readFile, writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { decode } from "../decoder/decoder.ts";
import { asUnreadable, MAX_PICTURE_BYTES, pictureIn } from "./picture.ts";
import { receiveFile } from "../files/prepared.ts";

/**
 * Shows which part of a picture a mask marks.
 * @param open opens the picture; what it throws is passed on
 * @param mask a greyscale PNG, stretched over the whole picture
 * @param dir a folder for temporary files, made where it is missing
 * @returns a JPEG
 * @throws ReelayError as `preparePicture`
 */
export async function previewMask(open: () => Promise<Readable>, mask: Buffer, dir: string): Promise<Buffer> {
  await using original = await receiveFile(open, dir, MAX_PICTURE_BYTES);
  const files = { mask: original.beside("mask"), to: original.beside("preview") };
  await writeFile(files.mask, mask, { mode: 0o600 });
  await decode("showMask", { picture: pictureIn(original), ...files }).catch(asUnreadable);
  return await readFile(files.to);
}
