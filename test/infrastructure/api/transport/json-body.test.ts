import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonBody } from "../../../../src/infrastructure/api/transport/json-body.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { file } from "../client.ts";

async function* breakingOff(): AsyncGenerator<Buffer> {
  yield Buffer.from("a");
  throw new Error("disk");
}

/** What a body fails with whose file of three bytes opens like this. */
async function failing(open: () => Promise<Readable>): Promise<unknown> {
  return text(jsonBody({ image: { bytes: 3, open } }).open()).catch((error: unknown) => error);
}

describe("jsonBody", () => {
  it("says what JSON.stringify would say with the base64 in it, in the length it promised", async () => {
    const bytes = fc.uint8Array({ maxLength: 40 }).map((content) => Buffer.from(content));
    const fields = fc.record({
      prompt: fc.string({ unit: "binary" }),
      numbers: fc.array(fc.integer()),
      image: bytes,
      images: fc.array(bytes, { maxLength: 3 }),
      mixed: fc.array(fc.oneof(fc.base64String(), fc.tuple(bytes, fc.constantFrom("image/png", undefined)))),
      flag: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fields, async ({ image, images, mixed, ...scalars }) => {
        const body = jsonBody({
          ...scalars,
          image: file(image),
          images: images.map((one) => file(one)),
          mixed: mixed.map((one) => (typeof one === "string" ? one : file(one[0], { type: one[1] }))),
        });
        const sent = await text(body.open());
        expect(Buffer.byteLength(sent)).toBe(body.length);
        expect(JSON.parse(sent)).toEqual({
          ...scalars,
          image: image.toString("base64"),
          images: images.map((one) => one.toString("base64")),
          mixed: mixed.map((one) =>
            typeof one === "string"
              ? one
              : `${one[1] ? `data:${one[1]};base64,` : ""}${one[0].toString("base64")}`,
          ),
        });
      }),
    );
  });

  it("leaves out what is undefined, and can be opened again", async () => {
    const body = jsonBody({ prompt: undefined, seed: -1, image: file(Buffer.from("abc")) });
    expect(await text(body.open())).toBe('{"seed":-1,"image":"YWJj"}');
    expect(await text(body.open())).toBe('{"seed":-1,"image":"YWJj"}');
    expect(await text(jsonBody({}).open())).toBe("{}");
  });

  it.each([
    ["fewer", 2],
    ["more", 4],
  ])("fails where a file holds another number of bytes than promised: promised %s", async (_, promised) => {
    const body = jsonBody({ image: file(Buffer.from("abc"), { bytes: promised }), prompt: "after" });
    const failure = await text(body.open()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "media_unreadable" });
  });

  it("fails as media_gone where a file does not open or breaks off, and passes a meaning on", async () => {
    expect(await failing(async () => Readable.from(breakingOff()))).toMatchObject({ code: "media_gone" });
    expect(await failing(() => Promise.reject(new Error("ENOENT")))).toMatchObject({ code: "media_gone" });
    expect(await failing(() => Promise.reject(new ReelayError("media_too_large")))).toMatchObject({
      code: "media_too_large",
    });
  });
});
