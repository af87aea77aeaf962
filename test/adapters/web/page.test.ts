import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  faultOf,
  firstMissing,
  isShown,
  sendable,
  withValue,
} from "../../../adapters/web/page/src/form/fields.ts";
import { progressAt } from "../../../adapters/web/page/src/view/progress.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { ProgressView } from "../../../src/seam/views.ts";
import { fieldsOf } from "../../../src/domain/operations/fields.ts";
import { video } from "../../../src/domain/operations/video.ts";

const fields = fieldsOf(video.schema);
const named = (name: string): FieldSpec => {
  const field = fields.find((candidate) => candidate.name === name);
  if (!field) throw new Error(`The video operation has no field ${name}.`);
  return field;
};
const image = { surface: "web", id: "a" } as const;

describe("the composer's fields", () => {
  it.each([
    [{}, "image", undefined],
    [{ image }, "prompt", "template"],
    [{ image, prompt: "  " }, "prompt", "template"],
    [{ image, prompt: "zoom" }, undefined, undefined],
    [{ image, template: "orbit" }, undefined, undefined],
  ])("with %j miss %s", (values, field, instead) => {
    const missing = firstMissing(fields, values);
    expect(missing?.field.name).toBe(field);
    expect(missing?.instead?.name).toBe(instead);
  });

  it("are shown when they make sense", () => {
    expect(isShown(named("sub_template"), fields, {})).toBe(false);
    expect(isShown(named("sub_template"), fields, { template: "orbit" })).toBe(true);
    expect(isShown(named("end_image"), fields, {})).toBe(false);
    expect(isShown(named("end_image"), fields, { video_quality: "new" })).toBe(true);
  });

  it("are sent only when they make sense", () => {
    const values = { image, prompt: " zoom ", end_image: image, sub_template: "soft", negative_prompt: "" };
    expect(sendable(fields, values)).toEqual({ image, prompt: "zoom" });
  });

  it("forget a variant with its template", () => {
    const values = { image, template: "orbit", sub_template: "soft" };
    expect(withValue(fields, values, "template", "snowfall")).toEqual({ image, template: "snowfall" });
    expect(withValue(fields, values, "template", undefined)).toEqual({ image });
    expect(withValue(fields, values, "template", "orbit")).toEqual(values);
  });

  it.each([
    ["duration", 2, "field_out_of_range"],
    ["duration", 9, "field_out_of_range"],
    ["duration", 3.5, "field_invalid"],
    ["duration", 3, undefined],
    ["seed", -2, "field_invalid"],
    ["seed", -1, undefined],
    ["prompt", "x".repeat(20_001), "field_too_long"],
    ["prompt", "x".repeat(20_000), undefined],
    ["cfg", undefined, undefined],
  ])("have bounds: %s of %j is %s", (name, value, code) => {
    expect(faultOf(named(name), value)?.code).toBe(code);
  });
});

describe("lists and steps", () => {
  const list: FieldSpec = {
    name: "images",
    label: "field.images",
    control: "images",
    required: false,
    advanced: false,
    minItems: 2,
    maxItems: 3,
  };
  const side: FieldSpec = { ...list, name: "width", control: "number", min: 64, max: 1240, multipleOf: 8 };

  it("miss what a list that was begun is still to hold", () => {
    expect(firstMissing([list], {})).toBeUndefined();
    expect(firstMissing([list], { images: [image] })?.field.name).toBe("images");
    expect(firstMissing([list], { images: [image, image] })).toBeUndefined();
    expect(firstMissing([{ ...list, required: true }], { images: [] })?.field.name).toBe("images");
  });

  it("have no more files than there is room for", () => {
    expect(faultOf(list, [image, image, image])).toBeUndefined();
    expect(faultOf(list, [image, image, image, image])).toMatchObject({
      code: "field_count",
      params: { min: 2, max: 3 },
    });
    expect(sendable([list], { images: [] })).toEqual({});
  });

  it("say the nearest number that fits", () => {
    expect(faultOf(side, 640)).toBeUndefined();
    expect(faultOf(side, 645)).toMatchObject({ code: "field_invalid", params: { wanted: "648" } });
    expect(faultOf(side, 1248)?.code).toBe("field_out_of_range");
  });

  it("forget what was marked in a picture with it", () => {
    const mask: FieldSpec = { ...list, name: "mask", control: "mask", over: "image" };
    const values = { image, mask: image };
    expect(withValue([mask], values, "image", { surface: "web", id: "b" })).toEqual({
      image: { surface: "web", id: "b" },
    });
    expect(withValue([mask], values, "image", { ...image })).toEqual(values);
  });
});

function view(more: Partial<ProgressView>): ProgressView {
  return {
    kind: "progress",
    job: { id: "a", operation: "video", values: {}, createdAt: 0 },
    phase: "running",
    ...more,
  };
}

describe("the bar", () => {
  it("knows nothing in the queue and nearly all while sending", () => {
    const start = { at: 0, percent: 0 };
    expect(progressAt(view({ phase: "queued", percent: 40 }), start, 1000)).toBeNull();
    expect(progressAt(view({}), start, 1000)).toBeNull();
    expect(progressAt(view({ percent: 40 }), start, 1000)).toBe(40);
    expect(progressAt(view({ phase: "sending" }), start, 1000)).toBe(98);
  });

  it("moves towards the expected end", () => {
    const going = view({ percent: 20, expectedAt: 10_000 });
    expect(progressAt(going, { at: 0, percent: 0 }, 5000)).toBe(60);
  });

  it("never runs backwards, beyond the end or ahead of time, whatever is heard in between", () => {
    const read = fc.record({
      percent: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      expectedAt: fc.option(fc.integer({ min: 0, max: 120_000 }), { nil: undefined }),
      heardFor: fc.integer({ min: 0, max: 20_000 }),
    });
    fc.assert(
      fc.property(fc.array(read, { maxLength: 20 }), (reads) => {
        let now = 0;
        let reached = 0;
        for (const { heardFor, percent, expectedAt } of reads) {
          const state = view({
            ...(percent !== undefined && { percent }),
            ...(expectedAt !== undefined && { expectedAt }),
          });
          const start = { at: now, percent: reached };
          for (const at of [now, now + heardFor / 2, now + heardFor]) {
            const shown = progressAt(state, start, at);
            if (shown === null) continue;
            expect(shown).toBeGreaterThanOrEqual(reached);
            expect(shown).toBeLessThanOrEqual(98);
            reached = shown;
          }
          now += heardFor;
        }
      }),
    );
  });
});
