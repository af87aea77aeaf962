import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { temporaryFolder, testFfmpeg } from "../../../support/sandbox.ts";

/** A small file of a format that a service might send. */
export interface Sample {
  readonly kind: "video" | "image";
  readonly type: string;
  readonly bytes: Buffer;
}

const folder = temporaryFolder();
const source = ["-f", "lavfi", "-i", "testsrc2=size=64x64:rate=12:duration=1"];
const h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "4"];

function video(name: string, type: string, ...args: string[]): [string, Sample] {
  const path = join(folder, name);
  execFileSync(testFfmpeg(), ["-loglevel", "error", "-y", ...source, ...args, path]);
  return [name, { kind: "video", type, bytes: readFileSync(path) }];
}

async function image(name: string, type: string, make: (from: Sharp) => Sharp): Promise<[string, Sample]> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const from = sharp({ create: { width: 60, height: 40, channels: 3, background: "teal", noise } });
  return [name, { kind: "image", type, bytes: await make(from).toBuffer() }];
}

const gif = await sharp({ create: { width: 20, height: 20, channels: 3, background: "red" } })
  .gif()
  .toBuffer();
const [, still] = await image("still.webp", "image/webp", (from) => from.webp());

/** Whole files: what the contract leaves open, some service sends. */
export const SAMPLES: Readonly<Record<string, Sample>> = Object.fromEntries([
  video("tables-last.mp4", "video/mp4", ...h264),
  video("tables-first.mp4", "video/mp4", ...h264, "-movflags", "+faststart"),
  video("fragments.mp4", "video/mp4", ...h264, "-movflags", "frag_keyframe+empty_moov+default_base_moof"),
  video("other-brand.mp4", "video/mp4", ...h264, "-brand", "dash"),
  video("film.mov", "video/quicktime", ...h264),
  video("film.webm", "video/webm", "-c:v", "libvpx", "-deadline", "realtime"),
  video("live.webm", "video/webm", "-c:v", "libvpx", "-deadline", "realtime", "-live", "1"),
  video("film.avi", "video/x-msvideo", "-c:v", "mjpeg"),
  await image("picture.png", "image/png", (from) => from.png()),
  await image("picture.jpg", "image/jpeg", (from) => from.jpeg()),
  await image("progressive.jpg", "image/jpeg", (from) => from.jpeg({ progressive: true, mozjpeg: true })),
  await image("lossless.webp", "image/webp", (from) => from.webp({ lossless: true })),
  await image("picture.avif", "image/avif", (from) => from.avif()),
  ["picture.gif", { kind: "image", type: "image/gif", bytes: gif }],
  // What moves may be a picture or a film.
  ["film.gif", { kind: "video", type: "image/gif", bytes: gif }],
  ["film.webp", { ...still, kind: "video" }],
] as [string, Sample][]);

/** Formats that go on as long as there is something: one that is cut off between two parts cannot be told from a shorter one. */
export const OPEN_ENDED = ["live.webm", "fragments.mp4"];
