import { describe, expect, it } from "vitest";
import type { MediaRef } from "../../../src/seam/values.ts";
import { carryOver } from "../../../src/domain/operations/carry-over.ts";
import { operationOf } from "../../../src/domain/operations/registry.ts";

const photo = (id: string): MediaRef => ({ surface: "web", id });
const [a, b, c] = [photo("a"), photo("b"), photo("c")];

describe("what one operation's values are worth to another", () => {
  it.each([
    ["a photo becomes the first of a list", "video", { image: a }, "vid3", { images: [a] }],
    ["a list becomes one photo", "vid3", { images: [a, b] }, "video", { image: a }],
    ["pictures keep their order", "image-edit", { images: [a, b, c] }, "faceswap", { target: a, source: b }],
    [
      "a list is cut to what fits",
      "vid3",
      { images: [a, b, c, a, b] },
      "h3-reference",
      { images: [a, b, c, a] },
    ],
    ["words stay", "video", { image: a, prompt: "zoom" }, "h3-image", { image: a, prompt: "zoom" }],
    ["what does not fit goes", "vid3", { prompt: "x", duration: 30 }, "video-audio", { prompt: "x" }],
    ["a template of another catalogue goes", "video", { template: "t" }, "h3-image", {}],
    ["one of the same catalogue stays", "video", { template: "t" }, "video-audio", { template: "t" }],
    ["a mask belongs to its picture", "inpaint", { image: a, mask: b }, "image-edit", { images: [a] }],
  ] as const)("%s", (_, from, values, to, carried) => {
    expect(carryOver(values, operationOf(from), operationOf(to))).toEqual(carried);
  });
});
