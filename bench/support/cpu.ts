import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { temporaryFolder } from "../../test/support/sandbox.ts";

const run = promisify(execFile);
/** Says on standard error, as the last thing, what the process has used. */
const METER = `data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();process._rawDebug("\\n"+(user+system)/1000)})`;
/** How often a program is run. */
export const TIMES = 5;

/** Processor time of a program, in milliseconds: the least of {@link TIMES}, after one that fills the compile cache and the data folder. */
export async function cpuOf(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<number> {
  const measured: number[] = [];
  const data = temporaryFolder();
  for (let nth = 0; nth <= TIMES; nth++) {
    const env = { PATH: process.env["PATH"], REELAY_DATA: data, ...settings };
    const options = { env, cwd: temporaryFolder() };
    const { stderr } = await run(process.execPath, ["--import", METER, ...args], options);
    measured.push(Number(stderr.trim().split("\n").at(-1)));
  }
  return Math.min(...measured.slice(1));
}
