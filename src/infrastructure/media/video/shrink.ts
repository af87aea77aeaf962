import { stat } from "node:fs/promises";
import { fromVideo, runLongFfmpeg } from "./ffmpeg.ts";
import { probeVideo } from "./probe.ts";

/** How long one try may take, in milliseconds: half a minute of 1080p on a slow machine. */
const TIMEOUT_MS = 240_000;

/** The share of the bytes that is aimed at: room for the container, and for the encoder to miss by. */
const AIM = 0.92;

const SOUND_BITS = 96_000;

/** Below this nothing can be made out any more, in bits a second. */
const LEAST_BITS = 120_000;

/** How many bits and how long sides each try aims at: where the encoder missed, a quarter of the pixels is left. */
const TRIES = [
  { share: 1, scale: 1 },
  { share: 0.8, scale: 0.5 },
] as const;

/** What is made smaller, and how far. */
export interface ShrinkOptions {
  readonly from: string;
  /** A file that is made or replaced. */
  readonly to: string;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Encodes a video again, as H.264, so that it fits into a number of bytes. It takes up to two tries.
 * @returns its size in bytes; undefined where it cannot be made to fit and still be watched
 * @throws the signal's reason
 */
export async function shrinkVideo(
  ffmpeg: string,
  { from, to, maxBytes, signal }: ShrinkOptions,
): Promise<number | undefined> {
  const facts = await probeVideo(from);
  if (!facts) return undefined;
  const bits = Math.floor((maxBytes * 8 * AIM) / facts.seconds - SOUND_BITS);
  if (bits < LEAST_BITS) return undefined;
  for (const { share, scale } of TRIES) {
    const args = encoding({ from, to, bits: Math.floor(bits * share), scale });
    try {
      await runLongFfmpeg(ffmpeg, args, { timeoutMs: TIMEOUT_MS, signal });
    } catch {
      signal?.throwIfAborted();
      return undefined;
    }
    const { size } = await stat(to);
    if (size <= maxBytes) return size;
  }
  return undefined;
}

/** ffmpeg's arguments for one try. */
function encoding({ from, to, bits, scale }: { from: string; to: string; bits: number; scale: number }) {
  // H.264 takes even sides only.
  const size = `scale=trunc(iw*${scale}/2)*2:trunc(ih*${scale}/2)*2`;
  const rate = ["-b:v", String(bits), "-maxrate", String(bits), "-bufsize", String(bits)];
  const video = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-vf", size, ...rate];
  const sound = ["-c:a", "aac", "-b:a", String(SOUND_BITS)];
  return [...fromVideo(from), ...video, ...sound, "-movflags", "+faststart", "-f", "mp4", to];
}
