import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressedOnce } from "../../../../tools/compressed-once.ts";
import { oneLanguage } from "../one-language.ts";

/** What this page says: of all else it knows nothing. */
const SAID =
  /^(?:setup\.|choice\.locale\.|page\.(?:language|login\.|opening|refused\.|reload)|error\.(?:bad_request|internal|role_may_not|storage_down))/;

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [oneLanguage((key) => SAID.test(key)), compressedOnce({ quality: 9 })],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../../../../dist/setup", import.meta.url)),
    emptyOutDir: true,
    // Below the page's own address.
    assetsDir: "setup",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
