import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a script of this folder as a process of its own. Returns what it printed. */
export async function inProcess(script: string, ...args: readonly string[]): Promise<string> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await run(process.execPath, [path, ...args], { timeout: 30_000 });
  return stdout;
}
