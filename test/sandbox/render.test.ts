import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { compileFunction } from "node:vm";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { readPicture } from "../../src/sandbox/records/pictures.ts";
import { ffmpegRenderer } from "../../src/sandbox/render/ffmpeg.ts";
import { lookForPrompt } from "../../src/sandbox/render/drawing/looks.ts";
import { MOVE_NAMES, moveFilter } from "../../src/sandbox/render/drawing/moves.ts";
import { drawOverlay } from "../../src/sandbox/render/drawing/overlay.ts";
import { END_PICTURE, RESULT, START_PICTURE, type ClipTask } from "../../src/sandbox/render/task.ts";
import { temporaryFolder, testFfmpeg, testPicture, testSandbox } from "../support/sandbox.ts";
import { caller, ended, submit } from "./call.ts";
import { describeClip, soundFile } from "./clip.ts";

const run = promisify(execFile);
const installer: { path: string } = createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg");

async function taskFor(fields: Partial<ClipTask> = {}): Promise<ClipTask> {
  const dir = await mkdtemp(join(temporaryFolder(), "job-"));
  await writeFile(join(dir, START_PICTURE), Buffer.from(await testPicture(640, 480), "base64"));
  return {
    kind: "clip",
    dir,
    stills: [join(dir, START_PICTURE)],
    width: 288,
    height: 512,
    duration: 2,
    fps: 16,
    look: { move: "zoom-in" },
    caption: "slow zoom",
    seed: 1,
    fine: false,
    ...fields,
  };
}

/** The first frame of a clip that was made of words alone. */
async function drawn(caption: string, seed: number): Promise<Buffer> {
  const task = await taskFor({ stills: [], width: 128, height: 128, duration: 1, caption, seed });
  await ffmpegRenderer(testFfmpeg())(task, new AbortController().signal);
  const [frame] = await frames(join(task.dir, RESULT), [0]);
  return frame ?? Buffer.alloc(0);
}

/** Raw grey pixels of single frames. */
async function frames(path: string, at: readonly number[]): Promise<Buffer[]> {
  return Promise.all(
    at.map(async (seconds) => {
      const { stdout } = await run(
        testFfmpeg(),
        `-v error -ss ${seconds} -i ${path} -frames:v 1 -f rawvideo -pix_fmt gray -`.split(" "),
        { encoding: "buffer", maxBuffer: 2 ** 25 },
      );
      return stdout;
    }),
  );
}

function difference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
}

/** Names of the top-level boxes of an MP4, in order. */
function boxes(file: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < file.length; at += file.readUInt32BE(at))
    names.push(file.toString("latin1", at + 4, at + 8));
  return names;
}

/** How many pixels a caption covers. */
async function inked(caption: string): Promise<number> {
  const pixels = await sharp(await drawOverlay(576, 1024, caption, undefined))
    .raw()
    .toBuffer();
  return pixels.filter((_, index) => index % 4 === 3 && (pixels[index] ?? 0) > 0).length;
}

const { sin, cos, pow } = Math;
const clip = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

describe("ffmpegRenderer", () => {
  it.each([
    ["the machine's ffmpeg", testFfmpeg()],
    ["the npm package's, of 2018", installer.path],
  ])("makes an exact, streamable H.264 clip that moves, with %s", async (_, ffmpeg) => {
    // A little more than is drawn at most, so that it is scaled up.
    const task = await taskFor({
      look: { move: "zoom-in", tone: "golden", finish: "vignette", particles: "confetti", grain: true },
      width: 600,
      height: 1000,
      duration: 1,
      fine: true,
    });
    const end = join(task.dir, END_PICTURE);
    await writeFile(end, Buffer.from(await testPicture(200, 200), "base64"));
    const stills = [...task.stills, end];
    await ffmpegRenderer(ffmpeg)({ ...task, stills }, new AbortController().signal);
    const clip = join(task.dir, RESULT);
    expect(await describeClip(clip)).toEqual({ width: 600, height: 1000, fps: 16, duration: 1, sound: 0 });
    const order = boxes(await readFile(clip));
    expect(order.indexOf("moov")).toBeLessThan(order.indexOf("mdat"));
    const [first, middle, last] = await frames(clip, [0, 0.5, 0.9]);
    if (!first || !middle || !last) throw new Error("no frames");
    expect(difference(first, middle)).toBeGreaterThan(2);
    expect(difference(middle, last)).toBeGreaterThan(2);
    expect(await readdir(task.dir), "nothing else is left behind").toEqual([
      END_PICTURE,
      RESULT,
      START_PICTURE,
    ]);
  });

  it.each([
    ["the machine's ffmpeg", testFfmpeg()],
    ["the npm package's, of 2018", installer.path],
  ])("shows one still after the other, all along with sound, with %s", async (_, ffmpeg) => {
    const task = await taskFor({ width: 192, height: 128, duration: 5 });
    const shades = ["#000000", "#404040", "#808080", "#c0c0c0", "#ffffff"];
    const stills = await Promise.all(
      shades.map(async (background, index) => {
        const path = join(task.dir, `still-${index}.jpg`);
        await sharp({ create: { width: 64, height: 64, channels: 3, background } }).toFile(path);
        return path;
      }),
    );
    const reference = { path: join(task.dir, "reference"), demuxer: "wav" };
    await writeFile(reference.path, soundFile("wav", 1));
    const sound = { references: [reference] };
    await ffmpegRenderer(ffmpeg)({ ...task, stills, caption: "", sound }, new AbortController().signal);
    const clip = join(task.dir, RESULT);
    const { sound: heard, ...shown } = await describeClip(clip);
    expect(shown).toEqual({ width: 192, height: 128, fps: 16, duration: 5 });
    expect(heard).toBeCloseTo(5, 1);
    const seen = await frames(clip, [0.4, 1.9, 2.9, 3.9, 4.9]);
    const greys = seen.map((frame) => frame.reduce((sum, value) => sum + value, 0) / frame.length);
    expect(greys).toEqual(greys.toSorted((a, b) => a - b));
    for (const [index, grey] of greys.entries()) expect(Math.abs(grey - index * 60)).toBeLessThan(25);
  });

  it("draws a scene where there is no picture: the same for the same words and seed, else another", async () => {
    const lake = await drawn("a quiet lake", 1);
    expect(difference(lake, await drawn("a quiet lake", 1))).toBe(0);
    expect(difference(lake, await drawn("a quiet lake", 2))).toBeGreaterThan(5);
    expect(difference(lake, await drawn("a burning desert", 1))).toBeGreaterThan(5);
  });

  it("stops ffmpeg when it is aborted, and leaves no result", async () => {
    // No machine renders an hour before somebody has seen that it does.
    const task = await taskFor({ width: 1024, height: 1024, duration: 3_600 });
    const abort = new AbortController();
    const rendering = ffmpegRenderer(testFfmpeg())(task, abort.signal);
    const files = async () => (await readdir(task.dir, { recursive: true })).map(String);
    await expect.poll(files).toContainEqual(expect.stringMatching(/^render-.+result/));
    abort.abort();
    await expect(rendering).rejects.toThrow("aborted");
    expect(await readdir(task.dir)).toEqual([START_PICTURE]);
  });

  it.each(MOVE_NAMES)("%s keeps the frame inside the picture, whatever the seed", (name) => {
    const [W, H, frames] = [864, 1536, 71];
    for (const seed of [0, 1, 10]) {
      const corners = [...moveFilter(name, seed, frames, 24).matchAll(/([xy])\d='([^']+)'/g)];
      expect(corners).toHaveLength(8);
      for (const [, axis, expression = ""] of corners) {
        const evaluate = compileFunction(`return ${expression}`, [
          "on",
          "W",
          "H",
          "sin",
          "cos",
          "pow",
          "clip",
        ]);
        for (let on = 1; on <= frames; on += 5) {
          const at: number = evaluate(on, W, H, sin, cos, pow, clip);
          expect(at).toBeGreaterThanOrEqual(-0.001);
          expect(at).toBeLessThanOrEqual((axis === "x" ? W : H) + 0.001);
        }
      }
    }
  });

  it("draws any caption without a system font, and never as markup", async () => {
    const box = await inked("slow zoom");
    expect(box).toBeGreaterThan(1000);
    expect(await inked("<b>slow</b> & 'fast' \\: %{pts}")).toBeGreaterThan(box);
    expect(await inked("x".repeat(5000))).toBeLessThan(576 * 60);
    expect(await inked("🎉\u0000\n")).toBe(0);
  });

  it("lets the prompt name the move", () => {
    expect(lookForPrompt("A slow zoom out, please").move).toBe("zoom-out");
    expect(lookForPrompt("pan left over the lake").move).toBe("pan-left");
    expect(lookForPrompt("a stroll on impulse").move).toBe("zoom-in");
  });
});

describe("readPicture", () => {
  it("applies the EXIF orientation", async () => {
    const sideways = await sharp({ create: { width: 40, height: 20, channels: 3, background: "#c33" } })
      .withExif({ IFD0: { Orientation: "6" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const read = await readPicture("image_base64", sideways.toString("base64"), 100, 100);
    const { width, height, orientation } = await sharp(read).metadata();
    expect([width, height, orientation]).toEqual([20, 40, undefined]);
  });
});

describe("a sandbox with ffmpeg", () => {
  it.each([
    ["portrait", "576x1024"],
    ["landscape", "1024x576"],
    ["square", "768x768"],
  ])("makes a %s clip of the asked duration and goes on answering meanwhile", async (orientation, size) => {
    await using sandbox = await testSandbox({ render: ffmpegRenderer(testFfmpeg()) });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const job = await submit(call, { orientation, duration: 3, lora_template: "film-noir" });
    let slowest = 0;
    const watch = setInterval(() => {
      const asked = performance.now();
      void fetch(sandbox.url).then(() => (slowest = Math.max(slowest, performance.now() - asked)));
    }, 50);
    const begin = performance.now();
    const record = await ended(call, job, 250);
    clearInterval(watch);
    expect(record.status).toBe("COMPLETED");
    // Somebody who had to wait for it would have waited most of that time.
    expect(slowest).toBeLessThan((performance.now() - begin) / 2);
    const { width, height, duration } = await describeClip(record.video_url);
    expect([`${width}x${height}`, duration]).toEqual([size, 3]);
  });
});
