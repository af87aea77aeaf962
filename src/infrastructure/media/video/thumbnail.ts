import { stat } from "node:fs/promises";
import { fromVideo, runFfmpeg } from "./ffmpeg.ts";

/** Far more than a few frames take on a slow machine. */
const TIMEOUT_MS = 20_000;

/** Clips may fade in: the most typical of so many frames is taken, not the first. */
const FRAMES = 24;

/**
 * Writes a JPEG of what a video shows at its beginning.
 * @param side the longest it may be, in pixels
 * @returns its size in bytes; undefined where ffmpeg cannot make one
 */
export async function videoThumbnail(
  ffmpeg: string,
  { from, to, side, signal }: { from: string; to: string; side: number; signal?: AbortSignal | undefined },
): Promise<number | undefined> {
  const filter = `thumbnail=${FRAMES},scale=${side}:${side}:force_original_aspect_ratio=decrease`;
  const still = ["-frames:v", "1", "-vf", filter, "-q:v", "5", "-f", "mjpeg"];
  try {
    await runFfmpeg(ffmpeg, [...fromVideo(from), ...still, to], { timeoutMs: TIMEOUT_MS, signal });
    return (await stat(to)).size;
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}
