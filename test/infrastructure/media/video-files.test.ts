import { execFileSync } from "node:child_process";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { probeImage, probeVideo } from "../../../src/infrastructure/media/video/probe.ts";
import { shrinkVideo } from "../../../src/infrastructure/media/video/shrink.ts";
import { videoThumbnail } from "../../../src/infrastructure/media/video/thumbnail.ts";
import { temporaryFolder, testFfmpeg } from "../../support/sandbox.ts";

const ffmpeg = testFfmpeg();
const folder = temporaryFolder();
const clip = join(folder, "clip.mp4");
const silent = join(folder, "silent.mp4");
const nothing = join(folder, "nothing.mp4");

function record(to: string, source: string, seconds: number, more: readonly string[] = []): void {
  const picture = ["-f", "lavfi", "-i", source];
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440"];
  const video = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"];
  execFileSync(ffmpeg, ["-v", "error", ...picture, ...sound, "-t", String(seconds), ...video, ...more, to]);
}

beforeAll(async () => {
  // Noise cannot be packed well: what fits into few bytes was really made smaller.
  record(clip, "testsrc2=size=320x568:rate=24,noise=alls=60:allf=t", 3, ["-b:v", "4M"]);
  record(silent, "color=black:size=64x64:rate=24", 0.25, ["-an"]);
  await writeFile(nothing, "not a film");
});

describe("a video", () => {
  it("tells its size and length", async () => {
    expect(await probeVideo(clip)).toEqual({
      width: 320,
      height: 568,
      seconds: expect.closeTo(3, 0),
      codecs: ["avc1", "mp4a"],
    });
  });

  it("without sound tells them, too", async () => {
    expect(await probeVideo(silent)).toEqual({
      width: 64,
      height: 64,
      seconds: expect.closeTo(0.25, 1),
      codecs: ["avc1"],
    });
  });

  it("that is none tells nothing, and breaks nothing", async () => {
    expect(await probeVideo(nothing)).toBeUndefined();
    expect(await probeVideo(join(folder, "missing.mp4"))).toBeUndefined();
    expect(
      await videoThumbnail(ffmpeg, { from: nothing, to: join(folder, "no.jpg"), side: 320 }),
    ).toBeUndefined();
    expect(
      await shrinkVideo(ffmpeg, { from: nothing, to: join(folder, "no.mp4"), maxBytes: 1e6 }),
    ).toBeUndefined();
  });

  it("that is a list of other files is never followed", async () => {
    const list = join(folder, "list.mp4");
    await writeFile(list, `ffconcat version 1.0\nfile clip.mp4\n`);
    const to = join(folder, "followed.jpg");
    expect(await videoThumbnail(ffmpeg, { from: list, to, side: 320 })).toBeUndefined();
    const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nfile://${clip}\n#EXT-X-ENDLIST\n`;
    await writeFile(list, playlist);
    expect(await videoThumbnail(ffmpeg, { from: list, to, side: 320 })).toBeUndefined();
  });

  it.each([
    ["usual", clip, 320],
    ["of a quarter of a second", silent, 64],
  ])("has a thumbnail: %s", async (_which, from, longest) => {
    const to = join(folder, "thumbnail.jpg");
    const bytes = await videoThumbnail(ffmpeg, { from, to, side: 320 });
    expect(bytes).toBe((await stat(to)).size);
    const { width, height, format } = await sharp(to).metadata();
    expect(format).toBe("jpeg");
    expect(Math.max(width, height)).toBeGreaterThanOrEqual(longest);
    expect(Math.max(width, height)).toBeLessThanOrEqual(320);
  });

  it("is made to fit into fewer bytes, with its sound and its length", async () => {
    const to = join(folder, "smaller.mp4");
    const { size: before } = await stat(clip);
    const bytes = await shrinkVideo(ffmpeg, { from: clip, to, maxBytes: before / 3 });
    expect(bytes).toBe((await stat(to)).size);
    expect(bytes).toBeLessThanOrEqual(before / 3);
    expect((await probeVideo(to))?.seconds).toBeCloseTo(3, 0);
    expect(execFileSync(ffmpeg, ["-v", "error", "-i", to, "-map", "0:a", "-f", "null", "-"]).length).toBe(0);
  });

  it("loses pixels, too, where the encoder misses at first", async () => {
    const script = join(folder, "misses-once");
    const misses = `case "$*" in *"iw*1/"*) for to; do :; done; head -c 2000000 /dev/zero > "$to";;`;
    await writeFile(script, `#!/bin/sh\n${misses}\n*) exec ${ffmpeg} "$@";; esac\n`, { mode: 0o755 });
    const to = join(folder, "halved.mp4");
    expect(await shrinkVideo(script, { from: clip, to, maxBytes: 500_000 })).toBeLessThanOrEqual(500_000);
    expect(await probeVideo(to)).toMatchObject({ width: 160, height: 284 });
  });

  it("is not made smaller than can be watched", async () => {
    const to = join(folder, "tiny.mp4");
    expect(await shrinkVideo(ffmpeg, { from: clip, to, maxBytes: 20_000 })).toBeUndefined();
  });

  it("is left when nobody waits for it any more", async () => {
    const to = join(folder, "aborted.mp4");
    const shrinking = shrinkVideo(ffmpeg, { from: clip, to, maxBytes: 1e6, signal: AbortSignal.abort() });
    await expect(shrinking).rejects.toThrow("aborted");
  });
});

describe("a picture", () => {
  it("tells its size as it is shown", async () => {
    const path = join(folder, "turned.jpg");
    const picture = sharp({ create: { width: 90, height: 60, channels: 3, background: "teal" } });
    await picture.withMetadata({ orientation: 6 }).toFile(path);
    expect(await probeImage(path)).toMatchObject({ width: 60, height: 90 });
    expect(await probeImage(nothing)).toBeUndefined();
  });
});
