import type * as FileSystem from "node:fs/promises";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import sharp from "sharp";
import { expect, it, vi } from "vitest";
import { frameOf } from "../../../adapters/kit/drafts/first-frame.ts";
import { readConfig } from "../../../src/app/config.ts";
import { maskFrom } from "../../../src/infrastructure/media/pictures/mask-from.ts";
import { previewMask } from "../../../src/infrastructure/media/pictures/mask-preview.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** What a busy disk does: it is asked for a file, and opens it later. */
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof FileSystem>();
  const late = async (...asked: Parameters<typeof real.readFile>) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return real.readFile(...asked);
  };
  return { ...real, readFile: late };
});

const size = { width: 64, height: 48 };
const black = { create: { ...size, channels: 3, background: "black" } } as const;
const white = { input: { create: { width: 20, height: 20, channels: 3, background: "white" } } } as const;
const picture = await sharp({ create: { ...size, channels: 3, background: "teal" } })
  .png()
  .toBuffer();
const mask = await sharp(black).composite([white]).greyscale().png().toBuffer();
const opened = (bytes: Buffer) => async () => Readable.from([bytes]);

it("reads what it made before that is removed, however late the disk opens it", async () => {
  const dir = temporaryFolder();
  const found = await maskFrom({ picture: opened(picture), marked: opened(mask), dir });
  expect(await sharp(found).metadata()).toMatchObject({ format: "png" });
  const preview = await previewMask(opened(picture), mask, dir);
  expect(await sharp(preview).metadata()).toMatchObject({ format: "jpeg" });
  const host = { config: readConfig({ REELAY_DATA: dir }), scratch: dir };
  const frame = await frameOf({ host }, opened(await readFile("test/adapters/web/support/clip.mp4")));
  expect(await sharp(frame).metadata()).toMatchObject({ format: "png", width: 480 });
});
