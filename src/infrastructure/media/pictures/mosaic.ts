import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { decode } from "../decoder/decoder.ts";
import { temporaryFolder } from "../files/written.ts";
import { prepareImage } from "./image.ts";

/**
 * Shows several pictures in one, in their order.
 * @param opens open the pictures; what they throw is passed on
 * @param options `dir`: a folder for temporary files; `side`: of the longer edge, in pixels
 * @returns a JPEG
 * @throws ReelayError as `prepareImage`
 */
export async function mosaicOf(
  opens: readonly (() => Promise<Readable>)[],
  { dir, side }: { readonly dir: string; readonly side: number },
): Promise<Buffer> {
  await using making = new AsyncDisposableStack();
  const pictures: string[] = [];
  for (const open of opens) {
    const picture = await prepareImage(open, { dir, maxSide: side });
    making.defer(() => picture.dispose());
    pictures.push(picture.path);
  }
  const folder = making.use(await temporaryFolder(dir, "mosaic-"));
  const to = join(folder.path, "mosaic");
  await decode("drawMosaic", { pictures, side, to });
  return await readFile(to);
}
