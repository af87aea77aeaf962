import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { decode } from "../decoder/decoder.ts";
import { asUnreadable, MAX_PICTURE_BYTES, pictureIn } from "./picture.ts";
import { receiveFile } from "../files/prepared.ts";

/** A picture, the copy that a person painted on, and where to work on them. */
export interface MarkedCopy {
  readonly picture: () => Promise<Readable>;
  readonly marked: () => Promise<Readable>;
  /** A folder for temporary files, made where it is missing. */
  readonly dir: string;
}

/**
 * Finds what a person marked in a picture: painted over a copy of it and sent back, or drawn as a mask of black
 * and white. The copy may have been scaled and recompressed on its way. What is ringed counts as marked with all
 * that is in it.
 * @returns a greyscale PNG, white where it is marked; smaller than the picture, of its shape
 * @throws ReelayError as `preparePicture`; `mask_empty` where nothing is marked; `mask_unlike` for another
 * picture, or a cropped one
 */
export async function maskFrom({ picture, marked, dir }: MarkedCopy): Promise<Buffer> {
  await using original = await receiveFile(picture, dir, MAX_PICTURE_BYTES);
  await using copy = await receiveFile(marked, dir, MAX_PICTURE_BYTES);
  const to = copy.beside("mask");
  await decode("findMask", { picture: pictureIn(original), marked: pictureIn(copy), to }).catch(asUnreadable);
  return await readFile(to);
}
