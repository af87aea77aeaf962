import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { compressedOnce } from "../../../tools/compressed-once.ts";

/** Redoc's own picture of its name, which it would ask another host for at every visit. */
const LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;

/** The same name in letters. */
const NAME =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='14'%3E%3Ctext y='11' font-family='sans-serif' font-size='11' fill='%234d88ff'%3ERedoc%3C/text%3E%3C/svg%3E";

const nothingFromElsewhere: Plugin = {
  name: "nothing-from-elsewhere",
  transform: {
    filter: { id: /redoc\.standalone\.js$/ },
    handler: (code) => code.replaceAll(LOGO, NAME),
  },
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  // The last tenth of what it weighs would take twenty times as long, at every start.
  plugins: [nothingFromElsewhere, compressedOnce({ quality: 9 })],
  build: {
    outDir: fileURLToPath(new URL("../../../dist/reference", import.meta.url)),
    emptyOutDir: true,
    // Below the page's own address.
    assetsDir: "docs",
    chunkSizeWarningLimit: 4_000,
    modulePreload: { polyfill: false },
    // Whoever is given it is given the notices of its authors, too.
    rolldownOptions: { checks: { pluginTimings: false }, output: { comments: { legal: true } } },
  },
});
