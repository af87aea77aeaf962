import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Where what they import is found. */
const COMPILED = new URL("../../node_modules/.cache/bench/", import.meta.url);

/** What is measured beside Reelay, and what measures. */
const SOURCES = {
  "discord-least": new URL("discord-least.ts", import.meta.url),
  meter: new URL("meter.ts", import.meta.url),
  "naive-gateway": new URL("naive-gateway.ts", import.meta.url),
  "statement-meter": new URL("statement-meter.ts", import.meta.url),
  "telegram-echo": new URL("telegram-echo.ts", import.meta.url),
  "telegram-least": new URL("telegram-least.ts", import.meta.url),
};

/** What a package is asked for by, as opposed to a file. */
const PACKAGE = /^[^./]/;

await build({
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  build: {
    ssr: true,
    target: "node24",
    outDir: fileURLToPath(COMPILED),
    emptyOutDir: true,
    rolldownOptions: {
      external: PACKAGE,
      input: Object.fromEntries(Object.entries(SOURCES).map(([name, url]) => [name, fileURLToPath(url)])),
      output: { entryFileNames: "[name].js" },
      checks: { pluginTimings: false },
    },
  },
});

/**
 * Where one is as JavaScript: for whoever runs it as TypeScript Node holds 18 MiB of a compiler, which would count as the
 * program's.
 */
export const compiled = (name: keyof typeof SOURCES): URL => new URL(`${name}.js`, COMPILED);
