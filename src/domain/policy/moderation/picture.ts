import { readFile } from "node:fs/promises";
import { addAbortSignal, type Readable } from "node:stream";
import { prepareImage } from "../../../infrastructure/media/pictures/image.ts";
import { type Deadline, within } from "./deadline.ts";

/** Enough to see what a picture shows, in pixels. */
const SIDE = 512;

/**
 * A small copy of a picture, as JPEG in a data URI, without metadata. Made as the one that is sent is made, so that
 * what cannot be read here cannot be sent either.
 * @param dir a folder for temporary files
 * @throws ReelayError as `prepareImage`; what `open` throws; the deadline's reason
 */
export function smallPicture(
  open: () => Promise<Readable>,
  dir: string,
  deadline: Deadline,
): Promise<string> {
  async function opened(): Promise<Readable> {
    const stream = await open();
    // Where that took too long, nobody listens any more.
    stream.on("error", () => {});
    return addAbortSignal(deadline.signal, stream);
  }
  return within(deadline, async () => {
    const picture = await prepareImage(() => within(deadline, opened), { dir, maxSide: SIDE });
    try {
      return `data:image/jpeg;base64,${await readFile(picture.path, "base64")}`;
    } finally {
      await picture.dispose();
    }
  });
}
