import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  consistent,
  firstMissing,
  isPicture,
  roomOf,
  withPictures,
} from "../../../src/seam/forms/filling.ts";
import { fewNumbers, readNumber, steps } from "../../../src/seam/forms/numbers.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { mediaIn, type MediaRef } from "../../../src/seam/values.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { ReelayError } from "../../../src/common/errors.ts";

const operations = COMMAND_SPECS.filter(({ kind }) => kind === "operation");
const fieldsOf = (name: string) => operations.find((operation) => operation.name === name)?.fields ?? [];
const numbers = operations.flatMap(({ fields }) => fields).filter(({ control }) => control === "number");

const picture = (id: string): MediaRef => ({ surface: "telegram", id });
const refusal = (code: string) =>
  expect.toSatisfy((error) => error instanceof ReelayError && error.code === code);

describe("pictures", () => {
  it("go to the picture fields of every operation in their order, as many as have room", () => {
    fc.assert(
      fc.property(fc.constantFrom(...operations), fc.integer({ min: 0, max: 12 }), ({ fields }, count) => {
        const given = Array.from({ length: count }, (_, index) => picture(String(index)));
        const values = withPictures(fields, given);
        const placed = fields.filter(isPicture).flatMap(({ name }) => mediaIn(values[name]));
        const room = fields.filter(isPicture).reduce((sum, field) => sum + roomOf(field), 0);
        expect(placed).toEqual(given.slice(0, room));
      }),
    );
  });
});

describe("what is missing", () => {
  it("is asked in the order of the fields", () => {
    const fields = fieldsOf("inpaint");
    expect(firstMissing(fields, {})?.name).toBe("image");
    expect(firstMissing(fields, { image: picture("a") })?.name).toBe("mask");
    expect(firstMissing(fields, { image: picture("a"), mask: picture("b") })?.name).toBe("prompt");
  });

  it("are no words beside a template", () => {
    const fields = fieldsOf("video");
    expect(firstMissing(fields, { image: picture("a") })?.name).toBe("prompt");
    expect(firstMissing(fields, { image: picture("a"), template: "x" })).toBeUndefined();
  });
});

describe("what belongs together", () => {
  it("goes together: a variant with its template, a mark with its picture, a last frame with its model", () => {
    const video = fieldsOf("video");
    const variant = { template: "a", sub_template: "b" };
    expect(consistent(video, variant, { ...variant, template: "c" })).toEqual({ template: "c" });
    expect(consistent(video, variant, { ...variant, duration: 4 })).toEqual({ ...variant, duration: 4 });
    const frame = { video_quality: "new", end_image: picture("e") };
    expect(consistent(video, frame, { ...frame, video_quality: "legacy" })).toEqual({
      video_quality: "legacy",
    });
    const marked = { image: picture("a"), mask: picture("m") };
    expect(consistent(fieldsOf("inpaint"), marked, { ...marked, image: picture("b") })).toEqual({
      image: picture("b"),
    });
    const both = { image: picture("b"), mask: picture("n") };
    expect(consistent(fieldsOf("inpaint"), marked, both)).toEqual(both);
  });
});

describe("numbers", () => {
  it("that buttons offer are all taken", () => {
    fc.assert(
      fc.property(fc.constantFrom(...numbers), fc.integer({ min: -50, max: 50 }), (field, nth) => {
        const { min = 0, max = Infinity, multipleOf = 1 } = field;
        const from = Math.min(Math.max(min + nth * multipleOf, min), max);
        const offered = [...(fewNumbers(field) ?? []), ...steps(field, from)];
        for (const number of offered) expect(readNumber(field, String(number))).toBe(number);
        expect(new Set(steps(field, from)).size).toBe(steps(field, from).length);
      }),
    );
  });

  it("can be reached, each of them, from every other", () => {
    const width = fieldsOf("video-audio").find(({ name }) => name === "width") as FieldSpec;
    const reached = new Set<number>([64]);
    for (const number of reached) for (const next of steps(width, number)) reached.add(next);
    expect(reached.size).toBe((1240 - 64) / 8 + 1);
  });

  it("are read as people write them, or refused with what fits", () => {
    const cfg = fieldsOf("video").find(({ name }) => name === "cfg") as FieldSpec;
    expect(readNumber(cfg, " 1,5 ")).toBe(1.5);
    const seed = fieldsOf("video").find(({ name }) => name === "seed") as FieldSpec;
    expect([
      readNumber(seed, "-1"),
      readNumber(seed, "007"),
      readNumber(cfg, "2."),
      readNumber(cfg, ",5"),
    ]).toEqual([-1, 7, 2, 0.5]);
    const duration = fieldsOf("video").find(({ name }) => name === "duration") as FieldSpec;
    for (const [text, code] of [
      ["9", "field_out_of_range"],
      ["4.5", "field_invalid"],
      ["four", "field_invalid"],
      ["0x4", "field_invalid"],
      ["4e0", "field_invalid"],
      ["   ", "field_invalid"],
      ["", "field_invalid"],
    ] as const)
      expect(() => readNumber(duration, text)).toThrow(refusal(code));
  });
});
