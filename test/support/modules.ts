import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "./sandbox.ts";

const run = promisify(execFile);
const MAIN = new URL("../../src/main.ts", import.meta.url).href;
/** Runs the sources, also where they were built. */
const SOURCES = ["-e", `import("${MAIN}").then(({ main }) => main(process.argv.slice(1)))`, "--"];
/** The program as everybody starts it. */
export const PROGRAM = fileURLToPath(new URL("../../tools/reelay.js", import.meta.url));
const HOOK = new URL("module-hook.ts", import.meta.url).href;

/** Modules of a package, by its name; our own by their first two folders. */
export type Modules = ReadonlyMap<string, number>;

/**
 * Runs a command of the command line and says how many modules it loaded, besides Node's own.
 * @param program what Node is to run
 */
export async function modulesOf(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  program: readonly string[] = SOURCES,
): Promise<Modules> {
  const env = { PATH: process.env["PATH"], REELAY_DATA: temporaryFolder(), ...settings };
  const { stderr } = await run(process.execPath, ["--import", HOOK, ...program, ...args], {
    env,
    cwd: temporaryFolder(),
  });
  const urls = JSON.parse(stderr.slice(stderr.lastIndexOf("\n") + 1)) as string[];
  const modules = new Map<string, number>();
  for (const url of urls.filter((one) => one.startsWith("file:"))) {
    const [, name = "tools"] =
      /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ??
      /\/((?:src|adapters)\/\w+|locales)[/.]/.exec(url) ??
      [];
    modules.set(name, (modules.get(name) ?? 0) + 1);
  }
  return modules;
}

/** How many there are in all. */
export const countOf = (modules: Modules) => [...modules.values()].reduce((sum, count) => sum + count, 0);
