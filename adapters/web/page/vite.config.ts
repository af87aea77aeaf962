import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { ELSEWHERE } from "./elsewhere.ts";

/** Lets the page load the one language that is read, and of that what it may say: see `src/state/language.ts`. */
const oneLanguage: Plugin = {
  name: "one-language",
  enforce: "pre",
  transform: {
    filter: { id: /\/(?:locales\/[\w-]+\.json|src\/common\/languages\.ts)$/ },
    handler(code, id) {
      if (id.endsWith(".ts")) return "export const sentencesOf = () => ({});";
      const sentences = Object.entries(JSON.parse(code) as Record<string, string>);
      return JSON.stringify(Object.fromEntries(sentences.filter(([key]) => !ELSEWHERE.test(key))));
    },
  },
};

/** What is text: pictures are compressed as they are. */
const TEXT = /\.(?:css|html|js|svg)$/;

const COMPRESSED = { br: promisify(brotliCompress), gz: promisify<Buffer, Buffer>(gzip) };

/** Lays beside each text what a server sends of it: compressed once, as small as it gets. */
const compressedOnce: Plugin = {
  name: "compressed-once",
  async writeBundle({ dir = "" }, bundle) {
    const paths = Object.keys(bundle).filter((name) => TEXT.test(name));
    const writing = paths.flatMap((name) =>
      Object.entries(COMPRESSED).map(async ([ending, compress]) => {
        const path = join(dir, name);
        await writeFile(`${path}.${ending}`, await compress(await readFile(path)));
      }),
    );
    await Promise.all(writing);
  },
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [oneLanguage, compressedOnce],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../../../dist/page", import.meta.url)),
    emptyOutDir: true,
    // The page's Content-Security-Policy has no place for data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Compressing takes longer than everything else, and is to.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
