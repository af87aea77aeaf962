import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { MediaRef } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { examine } from "../../../src/domain/operations/examine.ts";
import { fieldsOf } from "../../../src/domain/operations/fields.ts";
import { operationOf } from "../../../src/domain/operations/registry.ts";
import { blackPng } from "../../infrastructure/media/support/bombs.ts";
import { temporaryFolder, testPicture } from "../../support/sandbox.ts";

const photo = Buffer.from(await testPicture(), "base64");
const heic = await readFile(new URL("../../fixtures/halves.heic", import.meta.url));

/** What is said of the files of a photo to video, by what opening them gives. */
async function said(
  files: Readonly<Record<string, Buffer | Error>>,
  operation = "video",
  digests: Readonly<Record<string, string>> = {},
) {
  const dir = temporaryFolder();
  const warned: unknown[] = [];
  const surfaces = {
    openMedia: async ({ id }: MediaRef) => {
      const found = files[id];
      if (found instanceof Error) throw found;
      return Readable.from([found]);
    },
    digestIn: ({ id }: MediaRef) => digests[id],
    checkAddress: () => Promise.reject(new Error("No address was given.")),
  };
  const values = Object.fromEntries(
    Object.keys(files).map((name) => [name, { surface: "web", id: name } as const]),
  );
  const log = { warn: (...what: unknown[]) => void warned.push(what) };
  const problems = await examine(fieldsOf(operationOf(operation).schema), values, { surfaces, dir, log });
  expect(await readdir(dir)).toEqual([]);
  return { problems, warned: warned.length };
}

describe("files that have come", () => {
  it("are fine, and nothing is said", async () => {
    expect(await said({ image: photo })).toEqual({ problems: [], warned: 0 });
    expect(await said({ image: heic })).toEqual({ problems: [], warned: 0 });
  });

  it("are not opened where their digest tells that they were in order before", async () => {
    const digest = createHash("sha256").update(photo).digest("hex");
    await said({ image: photo });
    const unread = new Error("It was opened.");
    expect(await said({ image: unread }, "video", { image: digest })).toEqual({ problems: [], warned: 0 });
    expect(await said({ image: unread }, "video", { image: "0".repeat(64) })).toEqual({
      problems: [],
      warned: 1,
    });
  });

  it("are told by their field, with what they were found to be", async () => {
    const { problems } = await said({ image: blackPng(30, 700), end_image: Buffer.from("%PDF-1.7") });
    expect(problems).toEqual([
      {
        field: "image",
        code: "media_dimensions",
        params: { width: 30, height: 700, megapixels: 120, aspect: 20 },
      },
      { field: "end_image", code: "media_type", params: { found: "PDF" } },
    ]);
  });

  it("that are gone are told", async () => {
    expect((await said({ image: new ReelayError("media_gone") })).problems).toMatchObject([
      { field: "image", code: "media_gone" },
    ]);
  });

  it.each([
    ["what may come another time", new ReelayError("url_failed")],
    ["a platform that does not answer", new Error("ETIMEDOUT")],
  ])("are left for later: %s", async (_, error) => {
    expect(await said({ image: error })).toEqual({ problems: [], warned: 1 });
  });

  it("are not blamed for what is ours", async () => {
    await expect(said({ image: new ReelayError("internal") })).rejects.toMatchObject({ code: "internal" });
  });

  it("keep a mark that is thin", async () => {
    const { data } = { data: Buffer.alloc(4_000 * 3_000) };
    for (let x = 0; x < 3; x++) data.fill(255, 4_000 * (1_000 + x), 4_000 * (1_000 + x) + 400);
    const { default: sharp } = await import("sharp");
    const raw = { width: 4_000, height: 3_000, channels: 1 } as const;
    const mask = await sharp(data, { raw }).png().toBuffer();
    expect((await said({ image: photo, mask }, "inpaint")).problems).toEqual([]);
  });
});
