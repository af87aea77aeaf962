import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder, testFfmpeg } from "../support/sandbox.ts";

const run = promisify(execFile);

/** What a clip is. */
export interface Clip {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** Seconds, of the pictures that were counted. */
  readonly duration: number;
  /** Seconds of its AAC track; 0 without one. */
  readonly sound: number;
}

/** Decodes a clip from beginning to end with ffmpeg and says what it is. */
export async function describeClip(path: string): Promise<Clip> {
  const decode = (map: string) => ffmpegSays("-i", path, "-map", map);
  const said = await decode("0:v");
  const [, width = "", height = "", fps = ""] =
    /Video: h264 .*yuv420p.*? (\d+)x(\d+)\b.*?\b(\d+) fps/.exec(said) ?? [];
  const frames = /.*frame= *(\d+)/s.exec(said)?.[1];
  const heard = said.includes("Audio: aac") ? await decode("0:a") : "";
  const [, hours = 0, minutes = 0, seconds = 0] = (/.*time=(\d+):(\d+):([\d.]+)/s.exec(heard) ?? []).map(
    Number,
  );
  return {
    width: Number(width),
    height: Number(height),
    fps: Number(fps),
    duration: Number(frames) / Number(fps),
    sound: hours * 3600 + minutes * 60 + seconds,
  };
}

/**
 * How loud a clip is around a pitch.
 * @returns decibels, 0 being the loudest
 */
export async function loudness(path: string, hertz: number): Promise<number> {
  const said = await ffmpegSays(
    "-i",
    path,
    "-vn",
    "-af",
    `bandpass=f=${hertz}:width_type=h:w=100,volumedetect`,
  );
  return Number(/mean_volume: (-[\d.]+)/.exec(said)?.[1] ?? -91);
}

async function ffmpegSays(...options: string[]): Promise<string> {
  return (await run(testFfmpeg(), ["-hide_banner", ...options, "-f", "null", "-"])).stderr;
}

/** Makes a sound file with ffmpeg; its ending says of which type. */
export function soundFile(ending: string, seconds: number, hertz = 440): Buffer {
  const path = join(temporaryFolder(), `sound.${ending}`);
  const source = `-v error -f lavfi -i sine=f=${hertz}:r=22050:d=${seconds}`;
  execFileSync(testFfmpeg(), [...source.split(" "), path]);
  return readFileSync(path);
}
