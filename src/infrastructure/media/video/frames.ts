import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fromVideo, runFfmpeg } from "./ffmpeg.ts";
import { probeVideo } from "./probe.ts";

/** Far more than a few frames take on a slow machine. */
const TIMEOUT_MS = 30_000;
/** Where the last frame is looked for, in seconds before the end: seeking to the end itself finds none. */
const LAST = 0.2;
/** Enough to see what a frame shows, in pixels. */
const SIDE = 1280;

const SCALE = `scale=${SIDE}:${SIDE}:force_original_aspect_ratio=decrease`;
const STILL = ["-frames:v", "1", "-vf", SCALE, "-c:v", "png", "-f", "image2", "-update", "1"];

/**
 * Writes the first frame of a video as PNG.
 * @param side the longest it may be, in pixels
 * @returns whether there is one
 */
export async function firstFrame(
  ffmpeg: string,
  { from, to, side }: { from: string; to: string; side: number },
): Promise<boolean> {
  const scale = `scale='min(${side},iw)':'min(${side},ih)':force_original_aspect_ratio=decrease`;
  const still = [
    "-map",
    "0:v:0",
    "-frames:v",
    "1",
    "-vf",
    scale,
    "-c:v",
    "png",
    "-f",
    "image2",
    "-update",
    "1",
  ];
  try {
    await runFfmpeg(ffmpeg, [...fromVideo(from), ...still, to], { timeoutMs: TIMEOUT_MS });
    return (await stat(to)).size > 0;
  } catch {
    return false;
  }
}

/**
 * Writes the first, the middle and the last frame of a video as PNG, in one run of ffmpeg.
 * @param folder where they go
 * @returns their paths; fewer, or none, where ffmpeg finds fewer
 * @throws the signal's reason
 */
export async function keyFrames(
  ffmpeg: string,
  { from, folder, signal }: { from: string; folder: string; signal?: AbortSignal | undefined },
): Promise<readonly string[]> {
  const { seconds = 0 } = (await probeVideo(from)) ?? {};
  const times = [...new Set([0, seconds / 2, Math.max(0, seconds - LAST)])];
  const frames = times.map((_, index) => join(folder, `frame-${index}.png`));
  const source = fromVideo(from);
  const inputs = times.flatMap((at) => ["-ss", String(at)].concat(source));
  const outputs = frames.flatMap((to, index) => ["-map", `${index}:v:0`, ...STILL, to]);
  try {
    await runFfmpeg(ffmpeg, [...inputs, ...outputs], { timeoutMs: TIMEOUT_MS, signal });
  } catch {
    // Of several frames those that were found are there all the same.
    signal?.throwIfAborted();
  }
  const there = await Promise.all(
    frames.map((path) =>
      stat(path).then(
        ({ size }) => size > 0,
        () => false,
      ),
    ),
  );
  return frames.filter((_, index) => there[index]);
}
