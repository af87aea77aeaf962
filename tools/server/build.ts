import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig, type Plugin } from "vite";
import { isOfNow, STAMP, stampOf } from "./stamp.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUILT = new URL("../../dist/server/", import.meta.url);
const WORDS = join(ROOT, "src/domain/policy/words/words.json");

/** What runs by itself: the program, and what it starts as processes and threads, which it finds beside itself. */
const PROGRAMS = [
  "src/main.ts",
  "src/app/backups/backup-worker.ts",
  "src/domain/policy/words/pattern-worker.ts",
  "src/infrastructure/media/decoder/child.ts",
  "src/infrastructure/media/decoder/watchdog.ts",
  "src/infrastructure/media/video/spawner-child.ts",
  "src/infrastructure/storage/checkpoint-worker.ts",
  "src/infrastructure/storage/copying/copier-child.ts",
];

/** Packages of many small modules: loading each by itself was half of a start. All others stay where npm puts them. */
const JOINED =
  /^(?:@hono\/node-server|@keyv\/\w+|@modelcontextprotocol\/(?:core|server)|@oxc-project\/runtime|commander|hono|hookified|keyv|kysely|undici|zod)(?:\/|$)/;

/** What a package is asked for by, as opposed to a file. */
const PACKAGE = /^[^./]/;

/** Before anything is read: who changes a source meanwhile has changed it since. */
const stamp = stampOf(ROOT);

/** Lays beside the program what it reads, whose work is in it, and of which sources it was built. */
const beside: Plugin = {
  name: "beside",
  generateBundle(_, bundle) {
    const folders = Object.values(bundle)
      .flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []))
      .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
    const notices = [...new Set(folders)].toSorted().map((folder) => {
      const name = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file)) ?? "package.json";
      return `${folder.split("/node_modules/").at(-1)}\n\n${readFileSync(join(folder, name), "utf8")}`;
    });
    this.emitFile({ type: "asset", fileName: basename(WORDS), source: readFileSync(WORDS) });
    this.emitFile({ type: "asset", fileName: "licenses.txt", source: notices.join("\n\n") });
    this.emitFile({ type: "asset", fileName: STAMP, source: stamp });
  },
};

const config: InlineConfig = {
  configFile: false,
  logLevel: "warn",
  root: ROOT,
  plugins: [beside],
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: "node22",
    outDir: fileURLToPath(BUILT),
    emptyOutDir: true,
    rolldownOptions: {
      external: (id) => PACKAGE.test(id) && !JOINED.test(id),
      input: Object.fromEntries(PROGRAMS.map((path) => [basename(path, ".ts"), path])),
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      checks: { pluginTimings: false },
    },
  },
};

// One that runs loads parts of itself only when it needs them: they stay where they are, as long as they are the same.
if (!isOfNow(BUILT, new URL("../..", import.meta.url))) await build(config);
