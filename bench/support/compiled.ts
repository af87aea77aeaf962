import { fileURLToPath } from "node:url";
import { build } from "vite";

const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Where what they import is found. */
const COMPILED = new URL("../../node_modules/.cache/bench/", import.meta.url);

/** What is measured beside Reelay, and what measures. */
const NAMES = [
  "discord-least",
  "meter",
  "naive-gateway",
  "statement-meter",
  "telegram-echo",
  "telegram-least",
] as const;

/** What a package is asked for by, as opposed to a file. */
const PACKAGE = /^[^./]/;

await build({
  configFile: false,
  logLevel: "warn",
  root: HERE,
  publicDir: false,
  build: {
    ssr: true,
    target: "node24",
    outDir: fileURLToPath(COMPILED),
    emptyOutDir: true,
    rolldownOptions: {
      external: PACKAGE,
      input: Object.fromEntries(NAMES.map((name) => [name, `${HERE}${name}.ts`])),
      output: { entryFileNames: "[name].js" },
      checks: { pluginTimings: false },
    },
  },
});

/**
 * Where one is as JavaScript: for whoever runs it as TypeScript Node holds 18 MiB of a compiler, which would count as the
 * program's.
 */
export const compiled = (name: (typeof NAMES)[number]): URL => new URL(`${name}.js`, COMPILED);
