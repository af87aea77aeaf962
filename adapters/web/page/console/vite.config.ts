import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressedOnce } from "../../../../tools/compressed-once.ts";
import { oneLanguage } from "../one-language.ts";
import { SAID } from "./said.ts";

/** The console: built by itself, so that nobody else's page loads anything of it. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [oneLanguage((key) => SAID.test(key)), compressedOnce({ quality: 9 })],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../../../../dist/console", import.meta.url)),
    emptyOutDir: true,
    // Below the console's own address.
    assetsDir: "console/assets",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
