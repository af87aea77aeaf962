import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { describePicture, readExactPicture, readPicture } from "../../src/sandbox/records/pictures.ts";
import { blackPng } from "../infrastructure/media/support/bombs.ts";

const READERS = {
  readPicture: (base64: string) => readPicture("image", base64, 768, 768),
  readExactPicture: (base64: string) => readExactPicture("image", base64),
  describePicture: (base64: string) => describePicture("image", base64),
};

/** What this process ever held at most, in MB. */
const peakMb = () => process.resourceUsage().maxRSS / 1024;

describe.each(Object.entries(READERS))("%s", (_, read) => {
  it.each([
    ["a line of a million pixels", blackPng(1, 1_000_000)],
    ["a line across", blackPng(1_000_000, 1)],
    ["2,500 megapixels in some kilobytes", blackPng(50_000, 50_000, 100)],
  ])("refuses %s before it is decoded", async (_, bomb) => {
    const before = peakMb();
    await expect(read(bomb.toString("base64"))).rejects.toMatchObject({ status: 400 });
    expect(peakMb() - before).toBeLessThan(100);
  });

  it("takes what a camera and a screen give", async () => {
    const long = sharp({ create: { width: 200, height: 3_000, channels: 3, background: "red" } });
    await expect(read((await long.png().toBuffer()).toString("base64"))).resolves.toBeDefined();
  });
});

it("refuses what is too large to be worked on without loss before it is decoded", async () => {
  const before = peakMb();
  const large = blackPng(10_000, 10_000).toString("base64");
  await expect(readExactPicture("image", large)).rejects.toMatchObject({ status: 400 });
  expect(peakMb() - before).toBeLessThan(100);
});
