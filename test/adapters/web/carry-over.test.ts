import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { carryOver } from "../../../adapters/web/page/src/form/carry-over.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { mediaIn, type MediaRef, type Values } from "../../../src/seam/values.ts";

function field(name: string, control: FieldSpec["control"], more: Partial<FieldSpec> = {}): FieldSpec {
  return { name, label: "field.prompt", control, required: false, advanced: false, ...more };
}

const media = (id: string): MediaRef => ({ surface: "web", id });
const [a, b, c] = [media("a"), media("b"), media("c")];

const prompt = field("prompt", "text");
const one = field("image", "image");
const list = field("images", "images", { maxItems: 2 });
const mask = field("mask", "mask", { over: "image" });
const template = field("template", "catalogue", { catalogue: "video-templates" });
const variant = field("variant", "catalogue", { catalogue: "video-templates", within: "template" });

describe("what is carried over to another operation", () => {
  it("are pictures, in their order, as far as there are places", () => {
    const values = { images: [a, b, c] };
    const from = { fields: [field("images", "images", { maxItems: 5 })], values };
    expect(carryOver(from, [one, list]).values).toEqual({ image: a, images: [b, c] });
    expect(carryOver(from, [field("target", "image"), field("source", "image")]).values).toEqual({
      target: a,
      source: b,
    });
    expect(carryOver(from, [prompt]).values).toEqual({});
  });

  it("are words and choices where the same field may have them", () => {
    const size = field("size", "choice", { choices: [{ value: "small" }, { value: "large" }] });
    const length = field("length", "number", { min: 2, max: 30 });
    const from = { fields: [prompt, size, length], values: { prompt: "zoom", size: "small", length: 20 } };
    const narrow = { ...length, max: 8 };
    const other = { ...size, choices: [{ value: "large" }] };
    expect(carryOver(from, [prompt, size, length]).values).toEqual(from.values);
    expect(carryOver(from, [prompt, other, narrow]).values).toEqual({ prompt: "zoom" });
  });

  it("are no entries of another catalogue, and no variants of another entry", () => {
    const from = { fields: [template, variant], values: { template: "orbit", variant: "soft" } };
    expect(carryOver(from, [{ ...template, catalogue: "h3-templates" }]).values).toEqual({});
    const there = carryOver(from, [template]);
    const back = { fields: [template], values: { template: "rain" }, unused: there.unused };
    expect(carryOver(back, [template, variant]).values).toEqual({ template: "rain" });
  });

  it("is a mask only with the picture that it was painted over", () => {
    const from = { fields: [one, mask], values: { image: a, mask: b } };
    const there = carryOver(from, [list]);
    expect(there.values).toEqual({ images: [a] });
    const untouched = { fields: [list], ...there };
    expect(carryOver(untouched, [one, mask]).values).toEqual({ image: a, mask: b });
    const exchanged = { fields: [list], values: { images: [c] }, unused: there.unused };
    expect(carryOver(exchanged, [one, mask]).values).toEqual({ image: c });
  });

  it("comes back from wherever it was, with nothing lost or doubled on the way", () => {
    const files = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 5 });
    const given = fc.record({
      pictures: files,
      prompt: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
      size: fc.constantFrom("s", "m", "l"),
    });
    const size = (...values: string[]) =>
      field("size", "choice", { choices: values.map((value) => ({ value })) });
    const home = [field("images", "images", { maxItems: 5 }), prompt, size("s", "m", "l")];
    const places = fc.subarray([one, field("more", "image"), list, prompt, size("m")]);
    fc.assert(
      fc.property(given, fc.array(places, { maxLength: 6 }), ({ pictures, ...scalars }, way) => {
        const values: Values = { ...scalars, ...(pictures.length > 0 && { images: pictures.map(media) }) };
        let here: Parameters<typeof carryOver>[0] = { fields: home, values };
        for (const fields of [...way, home]) here = { fields, ...carryOver(here, fields) };
        expect(here.values).toEqual(values);
        expect(here.unused).toEqual({ pictures: [], values: [] });
        expect(mediaIn(here.values["images"]).map(({ id }) => id)).toEqual(pictures);
      }),
    );
  });
});
