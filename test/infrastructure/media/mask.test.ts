import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import sharp, { type Sharp } from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareMask } from "../../../src/infrastructure/media/pictures/mask.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "reelay-mask-"));
});
afterEach(() => rm(dir, { recursive: true }));

const prepare = (content: Buffer, width = 60, height = 40) =>
  prepareMask(async () => Readable.from([content], { objectMode: false }), { dir, width, height });

const plain = (
  background: string | { r: number; g: number; b: number; alpha: number },
  channels: 3 | 4 = 3,
) => sharp({ create: { width: 60, height: 40, channels, background } });

/** The left part of a picture painted in this colour, in a canvas of another. */
const leftPart = (canvas: Sharp, background: string, width: number) =>
  canvas.composite([{ input: { create: { width, height: 40, channels: 3, background } }, gravity: "west" }]);

/** One byte for each pixel. */
const greys = (path: string) => sharp(path).extractChannel(0).raw().toBuffer();

/** The share of white in it; everything else must be black. */
async function whiteIn(path: string): Promise<number> {
  const pixels = [...(await greys(path))];
  expect(new Set(pixels).isSubsetOf(new Set([0, 255]))).toBe(true);
  return pixels.filter((grey) => grey === 255).length / pixels.length;
}

describe("prepareMask", () => {
  it("gives a greyscale PNG of its picture's size, white where it is white", async () => {
    const mask = await prepare(await leftPart(plain("black"), "white", 15).png().toBuffer(), 600, 400);
    expect(mask).toMatchObject({ width: 600, height: 400, type: "image/png", orientation: "landscape" });
    const { format, channels, width, height } = await sharp(mask.path).metadata();
    expect({ format, channels, width, height }).toEqual({
      format: "png",
      channels: 1,
      width: 600,
      height: 400,
    });
    expect(await whiteIn(mask.path)).toBeCloseTo(0.25, 2);
    expect([...(await greys(mask.path))].slice(0, 140)).toEqual(Array.from({ length: 140 }, () => 255));
  });

  it("is pure black and white even where it was painted softly, and in colours", async () => {
    const soft = await leftPart(plain("black"), "white", 30).blur(5).jpeg({ quality: 40 }).toBuffer();
    expect(await whiteIn((await prepare(soft)).path)).toBeCloseTo(0.5, 1);
    expect(
      await whiteIn((await prepare(await leftPart(plain("navy"), "yellow", 15).png().toBuffer())).path),
    ).toBe(0.25);
  });

  it("takes what can be seen through for black", async () => {
    const clear = plain({ r: 255, g: 255, b: 255, alpha: 0 }, 4);
    const painted = await leftPart(clear, "white", 15).png().toBuffer();
    expect(await whiteIn((await prepare(painted)).path)).toBe(0.25);
  });

  it("is turned upright as its picture is", async () => {
    const turned = await leftPart(plain("black"), "white", 15)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { path } = await prepare(turned, 40, 60);
    const pixels = await greys(path);
    // The left part is at the top then.
    expect(pixels.subarray(0, 40 * 14).every((grey) => grey === 255)).toBe(true);
    expect(pixels.subarray(40 * 16).every((grey) => grey === 0)).toBe(true);
  });

  it("is stretched over a picture of another shape", async () => {
    const mask = await prepare(await leftPart(plain("black"), "white", 30).png().toBuffer(), 40, 400);
    expect(mask).toMatchObject({ width: 40, height: 400, orientation: "portrait" });
    expect(await whiteIn(mask.path)).toBeCloseTo(0.5, 1);
  });

  it.each([
    ["black", plain("black")],
    ["too dark a grey", plain({ r: 120, g: 120, b: 120, alpha: 1 })],
    ["nothing at all", plain({ r: 255, g: 255, b: 255, alpha: 0 }, 4)],
  ])("is refused where it is %s", async (_, picture) => {
    await expect(prepare(await picture.png().toBuffer())).rejects.toMatchObject({ code: "mask_empty" });
    expect(await readdir(dir)).toEqual([]);
  });

  it("is refused where it is no picture, as pictures are", async () => {
    await expect(prepare(Buffer.from("hello"))).rejects.toMatchObject({ code: "media_unreadable" });
    await expect(prepare(Buffer.from("%PDF-1.7\n"))).rejects.toMatchObject({
      code: "media_type",
      params: { found: "PDF" },
    });
    expect(await readdir(dir)).toEqual([]);
  });
});
