import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What a player wants to know of a video before it has it. */
export interface ClipFacts {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Seconds. */
  readonly duration: number;
}

/** How long looking at a file, and making it smaller, may take, in milliseconds. */
const TIMEOUT_MS = { look: 20_000, shrink: 300_000 } as const;

/** Room for a video's container beside its streams. */
const OVERHEAD = 0.94;
const SOUND_BITS = 96_000;
/** Below this nothing can be seen any more. */
const LEAST_BITS = 120_000;

/**
 * Size and duration of a video.
 * @returns undefined where ffmpeg sees no video in it
 */
export async function clipFacts(ffmpeg: string, path: string): Promise<ClipFacts | undefined> {
  // Without an output ffmpeg fails, having said what is there.
  const said = await run(ffmpeg, ["-hide_banner", "-i", path], { timeout: TIMEOUT_MS.look }).then(
    ({ stderr }) => stderr,
    (error: { stderr?: string }) => error.stderr ?? "",
  );
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):([\d.]+)/.exec(said) ?? [];
  const [, width, height] = /Video: .*?, (\d{2,5})x(\d{2,5})/.exec(said) ?? [];
  if (!width || !height || !seconds) return undefined;
  const duration = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return { width: Number(width), height: Number(height), duration };
}

/**
 * Writes a JPEG of a video's first second.
 * @param side the longest it may be, in pixels
 */
export async function clipThumbnail(ffmpeg: string, from: string, to: string, side: number): Promise<void> {
  const fit = `scale=${side}:${side}:force_original_aspect_ratio=decrease`;
  const args = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-ss", "0.5", "-i", from];
  await run(ffmpeg, [...args, "-frames:v", "1", "-vf", fit, "-q:v", "5", to], { timeout: TIMEOUT_MS.look });
}

/**
 * Encodes a video again so that it fits into a number of bytes.
 * @returns false where it cannot be made to without becoming unwatchable
 */
export async function shrinkClip(
  ffmpeg: string,
  from: string,
  to: string,
  maxBytes: number,
): Promise<boolean> {
  const facts = await clipFacts(ffmpeg, from);
  if (!facts) return false;
  const bits = Math.floor((maxBytes * 8 * OVERHEAD) / facts.duration - SOUND_BITS);
  if (bits < LEAST_BITS) return false;
  const rate = ["-b:v", String(bits), "-maxrate", String(bits), "-bufsize", String(bits)];
  const args = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-i", from];
  const video = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", ...rate];
  const sound = ["-c:a", "aac", "-b:a", String(SOUND_BITS)];
  await run(ffmpeg, [...args, ...video, ...sound, "-movflags", "+faststart", to], {
    timeout: TIMEOUT_MS.shrink,
  });
  return true;
}
