import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { ReelayError } from "../../../src/common/errors.ts";
import { maskFrom } from "../../../src/infrastructure/media/pictures/mask-from.ts";
import { previewMask } from "../../../src/infrastructure/media/pictures/mask-preview.ts";
import { maskOfRegions } from "../../../src/infrastructure/media/pictures/mask-regions.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const dir = temporaryFolder();
const photo = await sharp(await readFile("adapters/web/page/sample/sample.jpg"))
  .jpeg({ quality: 95 })
  .toBuffer();
const { width, height } = await sharp(photo).metadata();

/** Shapes on a canvas of 100 by 100, stretched over the photo. */
const shapes = (body: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none" width="${width}" height="${height}">${body}</svg>`,
  );

/** A tenth of the photo, a little left of its middle. */
const BOX = `<rect x="30" y="40" width="20" height="50" fill="#e33"/>`;

/** The photo with something painted on it, as a messenger sends it on. */
async function painted(body: string, { quality = 80, side = 1280 } = {}): Promise<Buffer> {
  const whole = await sharp(photo)
    .composite([{ input: shapes(body) }])
    .png()
    .toBuffer();
  return sharp(whole)
    .resize(side, side, { fit: "inside", withoutEnlargement: true })
    .jpeg({ quality })
    .toBuffer();
}

const opening = (bytes: Buffer) => async () => Readable.from([bytes]);
const find = (marked: Buffer, picture = photo) =>
  maskFrom({ picture: opening(picture), marked: opening(marked), dir });

const grey = (picture: Buffer) =>
  sharp(picture).resize(width, height, { fit: "fill" }).flatten().toColourspace("b-w").raw().toBuffer();

/** What the colours are in a square of a picture, `left` of 300 from its left edge. */
async function colours(picture: Buffer, left: number) {
  const square = { left, top: 110, width: 80, height: 80 };
  const part = await sharp(picture).resize(300, 300, { fit: "fill" }).extract(square).toBuffer();
  const { channels } = await sharp(part).stats();
  return channels.map(({ mean }) => mean);
}

/** How far a mask is from shapes, as a share of all pixels. */
async function missed(mask: Buffer, body: string): Promise<number> {
  const wanted = await grey(shapes(`<rect width="100" height="100"/>${body.replaceAll("#e33", "#fff")}`));
  const found = await grey(mask);
  return found.filter((value, at) => value > 127 !== (wanted[at] ?? 0) > 127).length / found.length;
}

const refusal = (code: string) =>
  expect.toSatisfy((error) => error instanceof ReelayError && error.code === code);

describe("a mask from a painted copy", () => {
  it.each([
    ["as it came", { quality: 95 }],
    ["recompressed", { quality: 60 }],
    ["recompressed badly and scaled down", { quality: 40, side: 800 }],
    ["scaled down to a thumbnail's size", { quality: 60, side: 480 }],
  ])("is what was painted over, %s", async (_, way) => {
    expect(await missed(await find(await painted(BOX, way)), BOX)).toBeLessThan(0.01);
  });

  it("is white on black, of the picture's shape", async () => {
    const mask = await sharp(await find(await painted(BOX))).metadata();
    expect(mask).toMatchObject({ format: "png", channels: 1 });
    expect(mask.width / mask.height).toBeCloseTo(width / height, 1);
  });

  it("takes what is ringed with all that is in it", async () => {
    const ring = `<rect x="30" y="40" width="20" height="50" fill="none" stroke="#0c0" stroke-width="1.5"/>`;
    expect(await missed(await find(await painted(ring)), BOX)).toBeLessThan(0.02);
  });

  it("takes a translucent marker for paint", async () => {
    const marker = BOX.replace("/>", ` opacity="0.4"/>`);
    expect(await missed(await find(await painted(marker)), BOX)).toBeLessThan(0.02);
  });

  it("keeps apart what was painted apart", async () => {
    const dots = `<rect x="10" y="10" width="10" height="10" fill="#e33"/><rect x="70" y="70" width="10" height="10" fill="#e33"/>`;
    expect(await missed(await find(await painted(dots)), dots)).toBeLessThan(0.01);
  });

  it("follows a photo that lies on its side to how it is seen", async () => {
    const lying = await sharp(photo).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();
    expect(await missed(await find(await painted(BOX), lying), BOX)).toBeLessThan(0.01);
  });

  it.each([30, 60, 90])("finds nothing in an unpainted copy of quality %i", async (quality) => {
    await expect(find(await painted("", { quality }))).rejects.toEqual(refusal("mask_empty"));
  });

  it.each([0.02, 0.05, 0.1, 0.2])("refuses a copy of which %d is cut away all around", async (cut) => {
    const whole = await painted(BOX);
    const size = await sharp(whole).metadata();
    const cropped = await sharp(whole)
      .extract({
        left: Math.round((size.width * cut) / 2),
        top: Math.round((size.height * cut) / 2),
        width: Math.round(size.width * (1 - cut)),
        height: Math.round(size.height * (1 - cut)),
      })
      .jpeg()
      .toBuffer();
    await expect(find(cropped)).rejects.toEqual(refusal("mask_unlike"));
  });

  it("refuses another picture, a mirrored one and one of another shape", async () => {
    const other = await sharp({ create: { width, height, channels: 3, background: "#6a8" } })
      .jpeg()
      .toBuffer();
    const mirrored = await sharp(photo).flop().jpeg().toBuffer();
    const half = await sharp(await painted(BOX))
      .resize(width, Math.round(height / 2), { fit: "cover" })
      .jpeg()
      .toBuffer();
    for (const copy of [other, mirrored, half])
      await expect(find(copy)).rejects.toEqual(refusal("mask_unlike"));
  });

  it("takes a mask of black and white as it is, of whatever shape", async () => {
    const mask = await sharp(shapes(`<rect width="100" height="100"/>${BOX.replace("#e33", "#fff")}`))
      .resize(400, 400, { fit: "fill" })
      .jpeg({ quality: 70 })
      .toBuffer();
    expect(await missed(await find(mask), BOX)).toBeLessThan(0.01);
  });

  it("says so when a file is no picture", async () => {
    await expect(find(Buffer.from("hello"))).rejects.toEqual(refusal("media_unreadable"));
  });
});

describe("a mask of regions", () => {
  it("covers exactly the thirds that were chosen", async () => {
    const third = 100 / 3;
    const both = `<rect width="${third}" height="${third}" fill="#e33"/><rect x="${third}" y="${third}" width="${third}" height="${third}" fill="#e33"/>`;
    expect(await missed(await maskOfRegions([0, 4]), both)).toBeLessThan(0.02);
  });
});

describe("a preview", () => {
  it("changes what is marked, and nothing else", async () => {
    const preview = await previewMask(opening(photo), await maskOfRegions([4]), dir);
    const [red = 0] = await colours(photo, 110);
    expect((await colours(preview, 110))[0]).toBeGreaterThan(red + 20);
    const [beside = 0] = await colours(photo, 10);
    expect((await colours(preview, 10))[0]).toBeCloseTo(beside, -1);
    expect(await sharp(preview).metadata()).toMatchObject({ width: 1024, format: "jpeg" });
  });
});
