import { fileURLToPath } from "node:url";
import type { UserConfig } from "vite";
import { compressedOnce } from "../../../tools/compressed-once.ts";
import { oneLanguage } from "./one-language.ts";

/**
 * A page that is built by itself, so that nobody else's loads anything of it.
 * @param name of its folder here and in `dist`
 * @param assetsDir where its files are, below its own address
 * @param said what it says, of all sentences
 */
export const ownBuild = (name: string, assetsDir: string, said: RegExp): UserConfig => ({
  root: fileURLToPath(new URL(`${name}/`, import.meta.url)),
  base: "./",
  plugins: [oneLanguage((key) => said.test(key)), compressedOnce({ quality: 9 })],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url)),
    emptyOutDir: true,
    assetsDir,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
