import { describe, expect, it } from "vitest";
import * as contract from "../../../../src/common/contract.ts";
import { count, invalid, outcome, pictures, range, required, sized, unknown } from "./outcome.ts";

describe("pictures (sections 4.5, 4.6, 4.12)", () => {
  it("text-to-image has sides of at most 2048", async () => {
    for (const width of [1, 2048]) expect(await outcome("generateImage", { width })).toBe("sent");
    for (const height of [0, 2049])
      expect(await outcome("generateImage", { height })).toMatchObject(range("height", 1, 2048));
  });

  it("an edit needs a prompt or a template", async () => {
    expect(await outcome("generateImageEdit", { prompt: undefined, template_id: "blue" })).toBe("sent");
    expect(await outcome("generateImageEdit", { prompt: undefined })).toMatchObject(required("prompt"));
  });

  it("an edit takes guidance with model_b only", async () => {
    expect(await outcome("generateImageEdit", { guidance: 3.5, model: "model_b" })).toBe("sent");
    for (const model of [undefined, "model_a"])
      expect(await outcome("generateImageEdit", { guidance: 3.5, model })).toMatchObject(
        invalid("guidance", "model = model_b"),
      );
  });

  it("an edit has two models, two modes and one version", async () => {
    expect(await outcome("generateImageEdit", { model: "model_c" })).toMatchObject(
      invalid("model", "model_a, model_b"),
    );
    expect(await outcome("generateImageEdit", { v2_mode: "best" })).toMatchObject(
      invalid("v2_mode", "fast, quality"),
    );
    expect(await outcome("generateImageEdit", { version: "v1" })).toMatchObject(invalid("version", "v2"));
  });
});

describe("image pro (section 4.9)", () => {
  const { images } = contract.IMGPRO_BOUNDS;
  const both = ["generateImgproEdit", "generateImgproReference"] as const;

  it.each(both)("%s takes 1 to 5 pictures of at most 4 MB where the size is known", async (method) => {
    for (const number of [1, 5]) expect(await outcome(method, { images: pictures(number) })).toBe("sent");
    for (const number of [0, 6])
      expect(await outcome(method, { images: pictures(number) })).toMatchObject(count("images", 1, 5));
    const base64 = "A".repeat(4 * Math.ceil((images.maxBytes + 1) / 3));
    for (const image of [sized(images.maxBytes + 1), base64, `data:image/png;base64,${base64}`])
      expect(await outcome(method, { images: [image] })).toMatchObject(range("images", 1, images.maxBytes));
    expect(await outcome(method, { images: [Buffer.alloc(images.maxBytes).toString("base64")] })).toBe(
      "sent",
    );
  });

  it.each(both)("%s writes its size as <w>x<h>", async (method) => {
    expect(await outcome(method, { size: "2048x2048" })).toBe("sent");
    for (const size of ["2K", "1024", "0x1024", "1024 x 1024"])
      expect(await outcome(method, { size })).toMatchObject(invalid("size", "<w>x<h>"));
  });

  it("an edit needs a prompt or a template", async () => {
    expect(await outcome("generateImgproEdit", { prompt: undefined, template_id: "blue" })).toBe("sent");
    expect(await outcome("generateImgproEdit", { prompt: undefined })).toMatchObject(required("prompt"));
    expect(await outcome("generateImgproEdit", { output_format: "png" })).toBe("sent");
  });

  it("ref2i takes no output_format and no template", async () => {
    expect(await outcome("generateImgproReference", { output_format: "png" })).toMatchObject(
      unknown("output_format"),
    );
    expect(await outcome("generateImgproReference", { template_id: "blue" })).toMatchObject(
      unknown("template_id"),
    );
  });
});
