import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { childEnvironment } from "../child-environment.ts";
import { timeoutAwake, within } from "../../../common/time.ts";
import { Turns } from "../../queue/turns.ts";
import { spawnProgram } from "./spawner.ts";

const run = promisify(execFile);

/** Far more than `-version` takes on a slow machine. */
const TIMEOUT_MS = 10_000;

/**
 * An ffmpeg that runs: the operator's, else the one on the PATH, else the one that npm installed.
 * @param setting `REELAY_FFMPEG`; where it is set, nothing else is taken in its place
 * @returns its path or name; undefined where there is none
 */
export async function findFfmpeg(setting?: string): Promise<string | undefined> {
  const candidates = setting === undefined ? ["ffmpeg", await installedFfmpeg()] : [setting];
  for (const candidate of candidates) {
    if (candidate !== undefined && (await describeFfmpeg(candidate)) !== undefined) return candidate;
  }
  return undefined;
}

/** The first line of what an ffmpeg says about itself; undefined where it does not run or is something else. */
export async function describeFfmpeg(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, ["-version"], {
      signal: timeoutAwake(TIMEOUT_MS),
      env: childEnvironment(),
    });
    return /^ffmpeg version .*/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

/** The most that it takes at a time for one thing, in bytes: far more than a frame of a video is. */
const MAX_ALLOC = 512 * 2 ** 20;
/** It asks nothing, replaces its output, and says nothing but errors. */
const COMMON = [
  "-hide_banner",
  "-loglevel",
  "error",
  "-nostdin",
  "-y",
  "-max_alloc",
  String(MAX_ALLOC),
] as const;

/** Each keeps one core busy, and takes memory for what it decodes: however many results come at once. */
const room = Math.max(2, availableParallelism());
const turns = new Turns(room);
/** What takes minutes always leaves a turn to what takes a moment, such as the frame that somebody waits for in a chat. */
const longTurns = new Turns(room - 1);

/**
 * Runs ffmpeg over files when it is its turn.
 * @throws what it said, when it fails; `TimeoutError` when it takes longer than `timeoutMs` from then on; the signal's reason
 */
export async function runFfmpeg(
  ffmpeg: string,
  args: readonly string[],
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<void> {
  await turns.run(() =>
    within(timeoutMs, (over) => spawnProgram(ffmpeg, [...COMMON, ...args], over), signal),
  );
}

/** The same for what takes minutes. */
export const runLongFfmpeg: typeof runFfmpeg = (...parts) => longTurns.run(() => runFfmpeg(...parts));

/** More than 8K has. */
const MAX_PIXELS = 36_000_000;

/**
 * ffmpeg's arguments to read a video that came from outside. It may be no playlist that names other files or addresses,
 * and no picture larger than any video's is decoded.
 */
export function fromVideo(path: string): readonly string[] {
  const formats = ["-format_whitelist", "mov,matroska,webm", "-protocol_whitelist", "file"];
  return [...formats, "-max_pixels", String(MAX_PIXELS), "-i", path];
}

/** The optional dependency throws where it was not installed or does not know the platform. */
async function installedFfmpeg(): Promise<string | undefined> {
  try {
    const { default: installer } = await import("@ffmpeg-installer/ffmpeg");
    return installer.path;
  } catch {
    return undefined;
  }
}
