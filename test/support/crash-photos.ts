import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { RESULT, START_PICTURE, type Renderer } from "../../src/sandbox/render/task.ts";
import { tinyClip } from "./sandbox.ts";

/** Photos that a clip can be told by: red, green and blue. */
export const PHOTOS = await Promise.all(
  ["#c01010", "#10c010", "#1010c0"].map(async (background) => {
    const picture = sharp({ create: { width: 96, height: 96, channels: 3, background } });
    return new Uint8Array(await picture.jpeg().toBuffer());
  }),
);

/** The id that the page keeps each photo under: its digest. */
const IDS = PHOTOS.map((photo) => createHash("sha256").update(photo).digest("hex"));

/** Which of {@link PHOTOS} has this id; -1 for none. */
export function photoOf(id: string): number {
  return IDS.indexOf(id);
}

/** Makes clips that say, in their last byte, which of {@link PHOTOS} they were made of. */
export const tellingRenderer: Renderer = async ({ dir }) => {
  const { channels } = await sharp(join(dir, START_PICTURE)).stats();
  const means = channels.map(({ mean }) => mean);
  const partial = join(dir, `${RESULT}.part`);
  await writeFile(
    partial,
    Buffer.concat([await readFile(tinyClip()), Buffer.of(means.indexOf(Math.max(...means)))]),
  );
  await rename(partial, join(dir, RESULT));
};

/** Which of {@link PHOTOS} a clip says that it was made of. @throws Error when it is no MP4 */
export function madeOf(clip: Buffer): number {
  if (clip.subarray(4, 8).toString("latin1") !== "ftyp") throw new Error("This is no MP4.");
  return clip.at(-1) ?? -1;
}
