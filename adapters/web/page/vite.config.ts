import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/** Of these the page says nothing: they belong to other front ends. */
const ELSEWHERE = /^(?:chat|cli|discord|draft|offers|telegram)\./;

/** Lets the page load the one language that is read, and of that what it may say: see `src/state/language.ts`. */
const oneLanguage: Plugin = {
  name: "one-language",
  enforce: "pre",
  transform: {
    filter: { id: /\/(?:locales\/[\w-]+\.json|src\/common\/languages\.ts)$/ },
    handler(code, id) {
      if (id.endsWith(".ts")) return "export const SENTENCES = {};";
      const sentences = Object.entries(JSON.parse(code) as Record<string, string>);
      return JSON.stringify(Object.fromEntries(sentences.filter(([key]) => !ELSEWHERE.test(key))));
    },
  },
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [oneLanguage],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../../../dist/page", import.meta.url)),
    emptyOutDir: true,
    // The page's Content-Security-Policy has no place for data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
