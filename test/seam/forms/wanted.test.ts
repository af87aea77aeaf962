import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { checked } from "../../../adapters/http/access/checked.ts";
import { WrongFields } from "../../../adapters/http/access/problem.ts";
import { catalogueQuerySchema, jobQuerySchema, newJobSchema } from "../../../adapters/http/route/requests.ts";
import { LOCALES, translator } from "../../../src/common/i18n.ts";
import { fieldsOf, problemsOf } from "../../../src/domain/operations/fields.ts";
import { OPERATIONS } from "../../../src/domain/operations/registry.ts";
import { readNumber } from "../../../src/seam/forms/numbers.ts";
import { sayProblem } from "../../../src/seam/text/say.ts";
import type { Problem } from "../../../src/seam/views.ts";
import type { Values } from "../../../src/seam/values.ts";

/** What the validator says, and what only programmers say; and keys of sentences that were not said. */
const NOT_FOR_PEOPLE =
  /\bexpected \w|received|Invalid input|Too (small|big)|[<>]=|\bNaN\b|undefined|int(?![\p{L}\d_])|boolean|wanted\.|\{\{/u;

/** Values of every kind: each field refuses most of them. */
const GIVEN: readonly unknown[] = [
  "",
  "  ",
  "words",
  "x".repeat(100_000),
  -7,
  0,
  0.5,
  1e9,
  Number.NaN,
  Infinity,
  true,
  null,
  [],
  [1],
  ["x"],
  {},
  { surface: "web" },
];

const said = (problem: Problem) => LOCALES.map((locale) => sayProblem(translator(locale), problem));

describe("what would fit", () => {
  it.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    "is said in plain words of every field of %s",
    (_, { schema }) => {
      for (const { name } of fieldsOf(schema))
        for (const given of GIVEN)
          for (const problem of problemsOf(schema, { [name]: given } as Values))
            for (const sentence of said(problem)) expect(sentence).not.toMatch(NOT_FOR_PEOPLE);
    },
  );

  it.each<[string, z.ZodObject]>([
    ["a job", newJobSchema],
    ["the query of a list of jobs", jobQuerySchema],
    ["the query of a catalogue", catalogueQuerySchema],
  ])("is said in plain words of every part of %s", (_, schema) => {
    for (const name of Object.keys(schema.shape))
      for (const given of GIVEN)
        for (const { code, params } of refusedIn(schema, { [name]: given }))
          for (const sentence of said({ code, params })) expect(sentence).not.toMatch(NOT_FOR_PEOPLE);
  });

  it.each([
    [jobQuerySchema, { limit: "ten" }, "a whole number from 1 to 100"],
    [jobQuerySchema, { limit: "0" }, "a whole number from 1 to 100"],
    [catalogueQuerySchema, { cursor: "zzz" }, "`next_cursor` of the page before"],
    [newJobSchema, { in_app_username: "  " }, "is missing"],
    [newJobSchema, { input: [] }, "an object with named fields"],
    [newJobSchema, { agreed: "terms" }, "a list"],
    [jobQuerySchema, { status: "done" }, "completed"],
  ])("is told with its bounds", (schema, given, words) => {
    const [field = ""] = Object.keys(given);
    const refused = refusedIn(schema, given).find((one) => one.field === field);
    expect(refused && said(refused)[0]).toContain(words);
  });

  it("is asked for where only white space was given", () => {
    const { schema } = OPERATIONS.find(({ id }) => id === "image") ?? { schema: undefined };
    expect(schema && problemsOf(schema, { prompt: " \n" })).toMatchObject([{ code: "field_required" }]);
  });

  it("is no single number where a number was asked for in words", () => {
    const seed = OPERATIONS.flatMap(({ schema }) => fieldsOf(schema)).find(({ name }) => name === "seed");
    expect(() => seed && readNumber(seed, "many")).toThrow(
      expect.objectContaining({ params: { field: "seed", wanted: "wanted.integer_from", min: -1 } }),
    );
  });
});

function refusedIn(schema: z.ZodType, given: unknown) {
  try {
    checked(schema, given);
  } catch (error) {
    if (error instanceof WrongFields) return error.fields;
    throw error;
  }
  return [];
}
