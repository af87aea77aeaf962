import { describe, expect, it } from "vitest";
import { file, PICTURE } from "../client.ts";
import { invalid, outcome, range, required, unknown } from "./outcome.ts";

describe("what every request has in common", () => {
  it.each([
    ["generateVideo", ["image_base64"]],
    ["generateVideoAudio", ["prompt"]],
    ["generateH3", ["prompt"]],
    ["generateVid3", ["prompt", "images"]],
    ["generateImage", ["prompt"]],
    ["generateImageEdit", ["image_1_base64"]],
    ["generateInpaint", ["prompt", "image_base64", "mask_base64"]],
    ["generateImgproEdit", ["images", "size"]],
    ["generateImgproReference", ["prompt", "images"]],
    ["generateFaceswap", ["target_base64", "source_base64"]],
    ["encodeMask", ["image_base64", "mask_base64"]],
    ["registerTemplate", ["id", "name", "prompt", "category", "is_mature"]],
    ["registerH3Template", ["id", "name", "is_mature", "release_date"]],
  ] as const)("%s goes out when it is whole, and needs %j", async (method, fields) => {
    expect(await outcome(method, {})).toBe("sent");
    for (const field of fields)
      expect(await outcome(method, { [field]: undefined })).toMatchObject(required(field));
    expect(await outcome(method, { lucky: 7 })).toMatchObject(unknown("lucky"));
  });

  it.each([
    ["a file source", file(PICTURE)],
    ["a file source of known type", file(PICTURE, { type: "image/webp" })],
    ["base64", PICTURE.toString("base64")],
    ["a data URI", "data:image/png;base64,aGk="],
    ["an HTTPS URL", "https://example.org/a.jpg"],
  ])("a picture may be %s", async (_, image_base64) => {
    expect(await outcome("generateVideo", { image_base64 })).toBe("sent");
  });

  it.each([
    ["nothing", null],
    ["empty", file(Buffer.alloc(0))],
    ["of a type that is none", file(PICTURE, { type: 'image/"jpeg' })],
    ["bytes", PICTURE],
    ["a plain URL", "http://example.org/a.jpg"],
    ["a path", "file:///etc/passwd"],
    ["a data URI without base64", "data:text/plain,hello"],
  ])("a picture may not be %s", async (_, image_base64) => {
    expect(await outcome("generateVideo", { image_base64 })).toMatchObject(invalid("image_base64"));
  });

  it.each([
    "generateVideo",
    "generateH3",
    "generateVid3",
    "generateImage",
    "generateImageEdit",
    "generateInpaint",
  ] as const)("%s takes -1 for a random seed and nothing below it", async (method) => {
    expect(await outcome(method, { seed: -1 })).toBe("sent");
    expect(await outcome(method, { seed: 0 })).toBe("sent");
    expect(await outcome(method, { seed: -2 })).toMatchObject([
      "field_out_of_range",
      { field: "seed", min: -1 },
    ]);
  });
});

describe("templates and lists", () => {
  it("an H3 template is released on a date", async () => {
    for (const release_date of ["1 June 2026", "2026-02-30"])
      expect(await outcome("registerH3Template", { release_date })).toMatchObject(
        invalid("release_date", "YYYY-MM-DD"),
      );
  });

  it("a page holds at most 100 jobs", async () => {
    expect(await outcome("jobs", { perPage: 100 })).toBe("sent");
    for (const perPage of [0, 101])
      expect(await outcome("jobs", { perPage })).toMatchObject(range("perPage", 1, 100));
  });
});
