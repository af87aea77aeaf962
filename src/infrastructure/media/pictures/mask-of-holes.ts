import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { decode } from "../decoder/decoder.ts";
import { asUnreadable, MAX_PICTURE_BYTES, pictureIn } from "./picture.ts";
import { receiveFile } from "../files/prepared.ts";

/**
 * The mask that a picture with holes stands for, as OpenAI's programs send it: what is fully transparent is to be made anew.
 * @param open opens the picture; what it throws is passed on
 * @param dir a folder for temporary files, made where it is missing
 * @returns a greyscale PNG, white where the picture is transparent
 * @throws ReelayError as `preparePicture`; `mask_empty` where it is so nowhere
 */
export async function maskOfHoles(open: () => Promise<Readable>, dir: string): Promise<Buffer> {
  await using given = await receiveFile(open, dir, MAX_PICTURE_BYTES);
  const to = given.beside("mask");
  await decode("maskOfHoles", { picture: pictureIn(given), to }).catch(asUnreadable);
  return await readFile(to);
}
