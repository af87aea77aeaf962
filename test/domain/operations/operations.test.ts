import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sayProblem } from "../../../src/seam/text/say.ts";
import type { MediaRef, Values } from "../../../src/seam/values.ts";
import { JOB_TYPES, LISTED_TYPES } from "../../../src/common/contract.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { carryOver } from "../../../src/domain/operations/carry-over.ts";
import { translator } from "../../../src/common/i18n.ts";
import { checkValues, fieldsOf } from "../../../src/domain/operations/fields.ts";
import { OPERATIONS, operationOf } from "../../../src/domain/operations/registry.ts";
import { README, readme } from "../../../tools/docs/operations.ts";
import { leastOrders } from "../../support/orders.ts";

const photo = (id: string): MediaRef => ({ surface: "web", id });

/** A page whatever the widths of its tables' columns, which the formatter sets. */
const rows = (page: string) => page.replaceAll(/ +\|/g, " |").replaceAll(/-{3,}/g, "---");

const LEAST = leastOrders({ photo: photo("a"), mask: photo("m"), face: photo("b") });

const leastOf = (id: string) => checkValues(operationOf(id).schema, LEAST[id] ?? {});

/** The refusal of some values. */
function refusal(id: string, values: Values): ReelayError {
  try {
    checkValues(operationOf(id).schema, values);
  } catch (error) {
    if (error instanceof ReelayError) return error;
    throw error;
  }
  throw new Error(`${id} takes ${JSON.stringify(values)}`);
}

describe.each(OPERATIONS.map((operation) => [operation.id, operation] as const))("%s", (id, operation) => {
  it("takes the least that the contract asks for, and has a size for it", () => {
    expect(operation.size(leastOf(id))).not.toBe("");
  });

  it("describes its fields as plain data that survives JSON", () => {
    const fields = fieldsOf(operation.schema);
    expect(fields.length).toBeGreaterThan(0);
    expect(JSON.parse(JSON.stringify(fields))).toEqual(fields);
  });

  it.each(Object.keys(LEAST[id] ?? {}))("does without %s only where something stands in for it", (name) => {
    const { [name]: _, ...rest } = LEAST[id] ?? {};
    const field = fieldsOf(operation.schema).find((candidate) => candidate.name === name);
    expect(refusal(id, rest)).toMatchObject({ code: "field_required", params: { field: name } });
    expect(field?.required === true || field?.unless !== undefined).toBe(true);
  });

  it("offers something that exists while it rests", () => {
    const carried = carryOver(leastOf(id), operation, operationOf(operation.instead));
    expect(operation.instead).not.toBe(id);
    expect(Object.keys(carried).length).toBeGreaterThan(0);
  });

  it("knows its kind of job, and whether the list shows it", () => {
    const own = ["vid3", "imgpro"];
    expect([...JOB_TYPES, ...own]).toContain(operation.type);
    expect(operation.listed).toBe(LISTED_TYPES.some((type) => type === operation.type));
  });

  it("gives two orders that records cannot tell apart the same fingerprint, and others none of theirs", () => {
    expect(operation.fingerprint(leastOf(id))).toBe(operation.fingerprint(leastOf(id)));
    const others = OPERATIONS.filter(({ type }) => type !== operation.type);
    for (const other of others)
      expect(other.fingerprint(leastOf(other.id))).not.toBe(operation.fingerprint(leastOf(id)));
  });
});

it("are listed in the README, as `npm run docs` writes it", () => {
  expect(rows(readFileSync(README, "utf8"))).toBe(rows(readme()));
});

it("keeps no half characters among words: they would break every list that they stand in", () => {
  const { schema } = operationOf("image");
  const { prompt } = checkValues(schema, { prompt: "a \ud800cat\0" }) as { prompt: string };
  expect(prompt).toBe("a \ufffdcat\ufffd");
  for (const nothing of [
    "\0",
    "\ufffd \0",
    "\u0001\ud800\u007f",
    "\u200b",
    "\u2060 \ufe0f\u3164\u{e0020}\u2800",
  ])
    expect(() => checkValues(schema, { prompt: nothing })).toThrow(
      expect.objectContaining({
        code: "field_required",
        params: expect.objectContaining({ field: "prompt" }),
      }),
    );
});

describe("a refused field", () => {
  it("is called what the form calls it", () => {
    const { code, params } = refusal("image-edit", { images: [photo("a")] });
    expect(sayProblem(translator("en"), { code, params })).toContain("“What should change”");
  });
});

describe("lists of files", () => {
  it("hold as many as the contract allows", () => {
    const five = Array.from({ length: 5 }, (_, index) => photo(`${index}`));
    expect(refusal("h3-reference", { images: five, prompt: "x" })).toMatchObject({
      code: "field_count",
      params: { field: "images", min: 1, max: 4 },
    });
    expect(checkValues(operationOf("vid3").schema, { images: five, prompt: "x" })).toMatchObject({
      images: five,
    });
  });

  it("without a file count as not given", () => {
    expect(refusal("vid3", { images: [], prompt: "x" })).toMatchObject({ code: "field_required" });
    expect(checkValues(operationOf("vid3").schema, { ...LEAST["vid3"], audios: [] })).not.toHaveProperty(
      "audios",
    );
  });
});

describe("sides of a video with sound", () => {
  it("are multiples of 8 from 64 to 1240", () => {
    const schema = operationOf("video-audio").schema;
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 155 }), (eighth) => {
        expect(checkValues(schema, { prompt: "x", width: eighth * 8 })).toMatchObject({ width: eighth * 8 });
      }),
    );
    expect(refusal("video-audio", { prompt: "x", width: 637 })).toMatchObject({
      code: "field_invalid",
      params: { field: "width", wanted: 640 },
    });
    expect(refusal("video-audio", { prompt: "x", width: 1248 })).toMatchObject({
      code: "field_out_of_range",
    });
  });
});

describe("what a 403 means", () => {
  it.each([
    ["vid3", {}, "pro_required"],
    ["imgpro-edit", {}, "pro_required"],
    ["imgpro-reference", {}, "pro_required"],
    ["faceswap", {}, "pro_required"],
    ["image-edit", { images: [photo("a"), photo("b"), photo("c")] }, "ultra_required"],
    ["video", { template: "t" }, "premium_template"],
    ["h3-image", { template: "t" }, "premium_template"],
    ["video", {}, undefined],
  ] as const)("for %s with %j is %s", (id, more, code) => {
    expect(operationOf(id).forbidden({ ...leastOf(id), ...more })).toBe(code);
  });
});

describe("the price of vid3", () => {
  it.each([
    [2, "480p", 2],
    [3, "480p", 2.64],
    [5, "720p", 8.8],
    [30, "1080p", 105.6],
    [7, "1080p", 24.64],
  ] as const)("for %i seconds in %s is %f tokens", (duration, size, tokens) => {
    expect(operationOf("vid3").price({ ...leastOf("vid3"), duration, size })).toBe(tokens);
  });
});
