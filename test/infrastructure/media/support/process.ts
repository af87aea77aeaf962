import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a script as a process of its own. Returns what it printed. */
export async function inProcess(script: URL, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [fileURLToPath(script), ...args], { timeout: 200_000 });
  return stdout;
}
