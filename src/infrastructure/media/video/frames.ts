import { stat } from "node:fs/promises";
import { decode } from "../decoder/decoder.ts";
import type { FramePrint } from "../decoder/frame-prints.ts";
import { removed } from "../files/temporary-file.ts";
import type { TakenFile } from "../files/taken.ts";
import { fromVideo, runFfmpeg } from "./ffmpeg.ts";
import { probeVideo } from "./probe.ts";

/** Far more than a few frames take on a slow machine. */
const TIMEOUT_MS = 30_000;
/** Where the last frame is looked for, in seconds before the end: seeking to the end itself finds none. */
const LAST = 0.2;
/** Enough to see what a frame shows, in pixels. */
const SIDE = 1280;

/** One frame as a PNG, no larger than it is. @param side the longest that its sides may be, in pixels */
const still = (side: number) => [
  "-frames:v",
  "1",
  "-vf",
  `scale='min(${side},iw)':'min(${side},ih)':force_original_aspect_ratio=decrease`,
  "-c:v",
  "png",
  "-f",
  "image2",
  "-update",
  "1",
];

/** Where a frame is taken from, where it goes, and the longest that its sides may be, in pixels. */
interface FrameParts {
  readonly from: string;
  readonly to: string;
  readonly side: number;
}

/**
 * Writes the first frame of a video as PNG.
 * @returns whether there is one
 */
export function firstFrame(ffmpeg: string, parts: FrameParts): Promise<boolean> {
  return frameAt(ffmpeg, 0, parts);
}

/**
 * Writes the last frame of a video as PNG.
 * @returns whether there is one
 */
export async function lastFrame(ffmpeg: string, parts: FrameParts): Promise<boolean> {
  return frameAt(ffmpeg, lastOf((await probeVideo(parts.from))?.seconds), parts);
}

/** @param seconds of a video; undefined where they are not known */
const lastOf = (seconds = 0) => Math.max(0, seconds - LAST);

async function frameAt(ffmpeg: string, at: number, { from, to, side }: FrameParts): Promise<boolean> {
  const source = ["-ss", String(at), ...fromVideo(from), "-map", "0:v:0"];
  try {
    await runFfmpeg(ffmpeg, [...source, ...still(side), to], { timeoutMs: TIMEOUT_MS });
    return (await stat(to)).size > 0;
  } catch {
    return false;
  }
}

/** A picture of a film, and what it is recognised by. */
type Frame = TakenFile & FramePrint;

/** Pictures of a film, beside it. `await using` removes them. */
export interface KeyFrames extends AsyncDisposable {
  readonly frames: readonly Frame[];
}

/** Which film, and what becomes of its pictures. */
interface KeyFrameParts {
  readonly from: string;
  /** Whether somebody looks at the pictures: else they are removed at once, and only what they are recognised by is left. */
  readonly keep: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the first, the middle and the last frame of a video as PNG, in one run of ffmpeg. Of a failure nothing is left.
 * @returns fewer, or none, where ffmpeg finds fewer
 * @throws the signal's reason; ReelayError `internal` where what was written cannot be looked into
 */
export async function keyFrames(ffmpeg: string, parts: KeyFrameParts): Promise<KeyFrames> {
  const { from, keep, signal } = parts;
  const { seconds = 0 } = (await probeVideo(from)) ?? {};
  const times = [...new Set([0, seconds / 2, lastOf(seconds)])];
  const paths = times.map((_, index) => `${from}-frame-${index}.png`);
  // As many run at once as there are cores: more threads of each would only get in each other's way.
  const source = ["-threads", "1", ...fromVideo(from)];
  const inputs = times.flatMap((at) => ["-ss", String(at)].concat(source));
  const outputs = paths.flatMap((to, index) => ["-map", `${index}:v:0`, ...still(SIDE), to]);
  await using making = new AsyncDisposableStack();
  making.defer(async () => void (await Promise.all(paths.map(removed))));
  try {
    await runFfmpeg(ffmpeg, [...inputs, ...outputs], { timeoutMs: TIMEOUT_MS, signal });
  } catch {
    // Of several frames those that were found are there all the same.
    signal?.throwIfAborted();
  }
  const prints = await decode("framePrints", { paths, keep });
  const left = making.move();
  return {
    frames: paths.flatMap((path, index) => {
      const print = prints[index];
      return print ? [{ path, kind: "PNG", ...print }] : [];
    }),
    [Symbol.asyncDispose]: async () => (keep ? left.disposeAsync() : undefined),
  };
}
