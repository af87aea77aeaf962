import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

/** What is text: pictures are compressed as they are. */
const TEXT = /\.(?:css|html|js|svg)$/;

/**
 * Lays beside each text that is built what a server sends of it: compressed once.
 * @param quality brotli's, up to 11: as small as it gets
 */
export function compressedOnce({ quality }: { readonly quality: number }): Plugin {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const compressed = {
    br: (text: Buffer) => promisify<Buffer, object, Buffer>(brotliCompress)(text, { params }),
    gz: promisify<Buffer, Buffer>(gzip),
  };
  return {
    name: "compressed-once",
    async writeBundle({ dir = "" }, bundle) {
      const paths = Object.keys(bundle).filter((name) => TEXT.test(name));
      const writing = paths.flatMap((name) =>
        Object.entries(compressed).map(async ([ending, compress]) => {
          const path = join(dir, name);
          await writeFile(`${path}.${ending}`, await compress(await readFile(path)));
        }),
      );
      await Promise.all(writing);
    },
  };
}
