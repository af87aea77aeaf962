import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ReelayError } from "../../../src/common/errors.ts";
import { prepareImage, type PrepareOptions } from "../../../src/infrastructure/media/pictures/image.ts";
import { blackPng } from "./support/bombs.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "reelay-image-"));
});
afterEach(() => rm(dir, { recursive: true }));

const prepare = (content: Buffer, options: Omit<PrepareOptions, "dir"> = {}) =>
  prepareImage(async () => Readable.from([content], { objectMode: false }), { dir, ...options });

/** Left half red, right half blue. */
const halves = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: "red" } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: "blue" } }, gravity: "east" },
  ]);

/** Red, green and blue of one pixel. */
async function pixel(path: string, left: number, top: number): Promise<number[]> {
  return [...(await sharp(path).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}

const frame = (background: string) =>
  sharp({ create: { width: 10, height: 10, channels: 3, background } })
    .png()
    .toBuffer();

/** Why a file was refused; nothing may be left of it. */
async function refused(content: Buffer, options?: Omit<PrepareOptions, "dir">): Promise<unknown> {
  const error = await prepare(content, options).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ReelayError);
  expect(await readdir(dir)).toEqual([]);
  return error;
}

describe("prepareImage", () => {
  it.each(["jpeg", "png", "webp", "avif", "gif"] as const)("takes %s and gives JPEG", async (format) => {
    const prepared = await prepare(await halves().toFormat(format).toBuffer());
    expect(prepared).toMatchObject({ width: 60, height: 40, type: "image/jpeg", orientation: "landscape" });
    expect((await sharp(prepared.path).metadata()).format).toBe("jpeg");
    const [red = 0, , blue = 255] = await pixel(prepared.path, 5, 20);
    expect(red - blue).toBeGreaterThan(150);
  });

  it("keeps it in a file of the owner's, opens it as often as needed, and disposes of it", async () => {
    const prepared = await prepare(await halves().png().toBuffer());
    expect((await stat(prepared.path)).mode & 0o777).toBe(0o600);
    for (let times = 0; times < 2; times++)
      expect(await buffer(prepared.open())).toHaveLength(prepared.bytes);
    await prepared.dispose();
    expect(await readdir(dir)).toEqual([]);
  });

  it.each([
    // EXIF orientation, and where the left (red) half is then: at the top, right, bottom or left.
    [1, 60, 40, 5, 20],
    [2, 60, 40, 55, 20],
    [3, 60, 40, 55, 20],
    [4, 60, 40, 5, 20],
    [5, 40, 60, 20, 5],
    [6, 40, 60, 20, 5],
    [7, 40, 60, 20, 55],
    [8, 40, 60, 20, 55],
  ])("turns a photo with orientation %i upright", async (orientation, width, height, left, top) => {
    const photo = await halves().jpeg().withMetadata({ orientation }).toBuffer();
    const prepared = await prepare(photo);
    expect(prepared).toMatchObject({ width, height });
    expect(prepared.orientation).toBe(width > height ? "landscape" : "portrait");
    const [red = 0, , blue = 255] = await pixel(prepared.path, left, top);
    expect(red - blue).toBeGreaterThan(150);
  });

  it("leaves out all metadata, the place above all", async () => {
    const photo = await halves()
      .jpeg()
      .withExif({ IFD0: { Artist: "Jo" }, IFD3: { GPSLatitude: "52/1 13/1 0/1", GPSLatitudeRef: "N" } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><place>Warsaw</place></x:xmpmeta>')
      .withIccProfile("p3")
      .toBuffer();
    expect(Object.keys(await sharp(photo).metadata())).toEqual(
      expect.arrayContaining(["exif", "xmp", "icc"]),
    );
    const { path } = await prepare(photo);
    const left = Object.keys(await sharp(path).metadata());
    for (const kind of ["exif", "xmp", "iptc", "icc", "orientation", "comments"])
      expect(left).not.toContain(kind);
    expect((await readFile(path)).includes("Warsaw")).toBe(false);
  });

  it("turns wide colours into sRGB rather than just dropping their profile", async () => {
    const background = { r: 200, g: 60, b: 60 };
    const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .withIccProfile("p3")
      .png()
      .toBuffer();
    // The same colour in Display P3 has other numbers.
    const [inP3 = 0] = await sharp(photo, { ignoreIcc: true }).raw().toBuffer();
    expect(Math.abs(inP3 - 200)).toBeGreaterThan(10);
    const [red = 0, green = 0, blue = 0] = await pixel((await prepare(photo)).path, 4, 4);
    expect(Math.abs(red - 200) + Math.abs(green - 60) + Math.abs(blue - 60)).toBeLessThan(10);
  });

  it("fits it into its bound without changing its shape, and never enlarges it", async () => {
    const photo = await halves(600, 400).jpeg().toBuffer();
    expect(await prepare(photo, { maxSide: 300 })).toMatchObject({ width: 300, height: 200 });
    expect(await prepare(photo, { maxSide: 3000 })).toMatchObject({ width: 600, height: 400 });
  });

  it("fits it into so many bytes, with a little less quality first and then with fewer pixels", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: "red", noise } })
      .png()
      .toBuffer();
    const { bytes } = await prepare(photo);
    const same = await prepare(photo, { maxFileBytes: bytes });
    expect(same).toMatchObject({ bytes, width: 900, height: 600 });
    const plainer = await prepare(photo, { maxFileBytes: bytes - 1 });
    expect(plainer).toMatchObject({ width: 900, height: 600 });
    expect(plainer.bytes).toBeLessThan(bytes);
    for (const maxFileBytes of [plainer.bytes - 1, bytes / 4]) {
      const smaller = await prepare(photo, { maxFileBytes });
      expect(smaller.bytes).toBeLessThanOrEqual(maxFileBytes);
      // Not smaller than it has to be.
      expect(smaller.bytes).toBeGreaterThan(maxFileBytes / 2);
      expect(smaller.width / smaller.height).toBeCloseTo(1.5, 1);
    }
  });

  it.each([
    ["halves", 60, 40, [10, 20], [50, 20]],
    ["turned", 40, 60, [20, 10], [20, 50]],
  ] as const)("takes HEIC, upright and without metadata: %s", async (name, width, height, red, blue) => {
    const photo = await readFile(new URL(`../../fixtures/${name}.heic`, import.meta.url));
    expect(photo.includes("Jo\0")).toBe(true);
    const prepared = await prepare(photo, { maxSide: 60 });
    expect(prepared).toMatchObject({ width, height, type: "image/jpeg" });
    const atRed = await pixel(prepared.path, red[0], red[1]);
    const atBlue = await pixel(prepared.path, blue[0], blue[1]);
    expect((atRed[0] ?? 0) - (atRed[2] ?? 255)).toBeGreaterThan(150);
    expect((atBlue[2] ?? 0) - (atBlue[0] ?? 255)).toBeGreaterThan(150);
    expect(Object.keys(await sharp(prepared.path).metadata())).not.toContain("exif");
  });

  it("makes see-through parts white", async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const png = await sharp({ create: { width: 9, height: 9, channels: 4, background: clear } })
      .png()
      .toBuffer();
    const prepared = await prepare(png);
    expect(prepared.orientation).toBe("square");
    expect(await pixel(prepared.path, 4, 4)).toEqual([255, 255, 255]);
  });

  it("takes the first frame of a GIF that moves", async () => {
    const gif = await sharp([await frame("red"), await frame("blue")], { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(2);
    const prepared = await prepare(gif);
    expect(prepared).toMatchObject({ width: 10, height: 10 });
    const [red = 0, , blue = 255] = await pixel(prepared.path, 5, 5);
    expect(red - blue).toBeGreaterThan(150);
  });
});

describe("prepareImage refuses", () => {
  it("a file beyond its bound in bytes", async () => {
    const error = await refused(Buffer.alloc(2000), { maxBytes: 1999 });
    expect(error).toMatchObject({ code: "media_too_large", params: { max: 1999 } });
  });

  it.each([
    ["MP4", Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isomiso2", "latin1")],
    ["PDF", Buffer.from("%PDF-1.7\n")],
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ["SVG", Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["TIFF", Buffer.from("II*\0\x08\0\0\0", "latin1")],
    ["BMP", Buffer.from("BM\x1e\0\0\0", "latin1")],
  ])("%s, with its name", async (found, content) => {
    expect(await refused(content)).toMatchObject({ code: "media_type", params: { found } });
  });

  it.each([
    ["text", Buffer.from("hello")],
    ["a HEIC without a size", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1")],
    [
      "noise behind the first bytes of a JPEG",
      Buffer.concat([Buffer.from([255, 216, 255, 224]), Buffer.alloc(500, 9)]),
    ],
  ])("%s", async (_, content) => {
    expect(await refused(content)).toMatchObject({ code: "media_unreadable" });
  });

  it.each(["jpeg", "png", "webp", "avif"] as const)("a %s that breaks off", async (format) => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const whole = await sharp({ create: { width: 300, height: 300, channels: 3, background: "red", noise } })
      .toFormat(format)
      .toBuffer();
    expect(await refused(whole.subarray(0, whole.length / 2))).toMatchObject({ code: "media_unreadable" });
  });

  it("a bomb: a small file with more pixels than any camera takes", async () => {
    const bomb = blackPng(12_000, 11_000);
    expect(bomb.length).toBeLessThan(50_000);
    const params = { width: 12_000, height: 11_000, megapixels: 120, aspect: 20 };
    expect(await refused(bomb)).toMatchObject({ code: "media_dimensions", params });
    expect(await prepare(blackPng(12_000, 9_000))).toMatchObject({ width: 4096, height: 3072 });
  });

  it("a file of no bytes, which is not damaged", async () => {
    expect(await refused(Buffer.alloc(0))).toMatchObject({ code: "media_empty" });
  });

  it("what cannot be made small enough", async () => {
    const error = await refused(await halves().png().toBuffer(), { maxFileBytes: 20 });
    expect(error).toMatchObject({ code: "media_too_large", params: { max: 20 } });
  });

  it("and passes on why a file could not be opened", async () => {
    const gone = new ReelayError("media_gone");
    await expect(prepareImage(() => Promise.reject(gone), { dir })).rejects.toBe(gone);
    expect(await readdir(dir)).toEqual([]);
  });
});
