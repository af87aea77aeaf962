import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../../../dist/page", import.meta.url)),
    emptyOutDir: true,
    // The page's Content-Security-Policy has no place for data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
