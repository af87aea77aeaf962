import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { testFfmpeg } from "../support/sandbox.ts";

/** A recipe's path. */
export const recipe = (name: string): string =>
  fileURLToPath(new URL(`../../recipes/${name}`, import.meta.url));

/** How a recipe ended, and what it said. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Running = ChildProcessByStdio<null, Readable, Readable>;

/** Starts a program with an environment of its own. */
export function start(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Running {
  const env = { PATH: process.env["PATH"], ...environment };
  return spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Runs a program until its end. */
export async function run(...call: Parameters<typeof start>): Promise<Ended> {
  const child = start(...call);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, out, err };
}

/** Plays a file from its beginning to its end. @throws where it is no video, or a damaged one */
export function play(path: string): void {
  const args = ["-v", "error", "-xerror", "-i", path, "-map", "0:v", "-f", "null", "-"];
  execFileSync(testFfmpeg(), args, { stdio: "pipe" });
}
