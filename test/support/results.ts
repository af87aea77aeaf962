import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, open, stat } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { action } from "../../src/seam/text/actions.ts";
import type { ResultView } from "../../src/seam/views.ts";
import { temporaryFolder, testFfmpeg } from "./sandbox.ts";

export const JOB = "0mwprskck334cb5f05e";

/** A clip of three seconds, without sound. */
export const clip = join(temporaryFolder(), "clip.mp4");
const source = ["-f", "lavfi", "-i", "testsrc2=size=320x568:rate=24:duration=3"];
const video = ["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "3M", "-pix_fmt", "yuv420p"];
execFileSync(testFfmpeg(), ["-loglevel", "error", ...source, ...video, clip]);

export const picture = join(temporaryFolder(), "picture.png");
await sharp({ create: { width: 900, height: 600, channels: 3, background: "teal" } }).toFile(picture);

/** A finished job with this file. */
export function result(kind: "video" | "image", path = kind === "video" ? clip : picture): ResultView {
  const type = kind === "video" ? "video/mp4" : "image/png";
  return {
    kind: "result",
    job: { id: JOB, operation: kind, values: {}, createdAt: 1 },
    media: [{ kind, name: "made", open: async () => ({ stream: createReadStream(path), type }) }],
    cost: 2.7,
    balance: 97.3,
    tookMs: 9_000,
    spoiler: false,
    actions: [
      action("again", JOB, "action.again", "primary"),
      action("delete", JOB, "action.delete", "danger"),
    ],
  };
}

/** The same clip in a file of some bytes more than a platform takes: players skip what no box of it names. */
export async function largeClip(limit: number): Promise<string> {
  const path = join(temporaryFolder(), "large.mp4");
  await copyFile(clip, path);
  const { size } = await stat(path);
  const padding = limit - size + 1_000;
  const header = Buffer.from([0, 0, 0, 0, ...Buffer.from("free")]);
  header.writeUInt32BE(padding);
  await using file = await open(path, "r+");
  await file.write(header, 0, header.length, size);
  await file.truncate(size + padding);
  return path;
}

/** A picture: noise cannot be packed. */
export async function drawn(width: number, height: number, noise: boolean): Promise<string> {
  const path = join(temporaryFolder(), "drawn.png");
  const raw = { width, height, channels: 3 } as const;
  const image = noise
    ? sharp(randomBytes(width * height * 3), { raw })
    : sharp({ create: { ...raw, background: "teal" } });
  await image.png({ compressionLevel: 1 }).toFile(path);
  return path;
}
