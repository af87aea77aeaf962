import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressedOnce } from "../../../tools/compressed-once.ts";
import { ELSEWHERE } from "./elsewhere.ts";
import { oneLanguage } from "./one-language.ts";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [oneLanguage((key) => !ELSEWHERE.test(key)), compressedOnce({ quality: 11 })],
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
