import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { compressedOnce } from "../../../tools/compressed-once.ts";
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

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [oneLanguage, compressedOnce({ quality: 11 })],
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
