import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAnswer } from "../../../../src/domain/policy/moderation/answer.ts";

/** Mostly what it should be, sometimes anything. */
const or = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 6, arbitrary }, fc.jsonValue());

/** Something that is nearly an answer. */
const nearly = (() => {
  const flag = or(fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constantFrom(true, null)));
  const categories = or(fc.dictionary(fc.constantFrom("sexual", "violence", "constructor"), flag));
  const result = or(fc.record({ flagged: flag, categories }));
  return or(fc.record({ results: or(fc.array(result, { maxLength: 3 })) }));
})();

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether it says in so many words that nothing is flagged. */
function saysNothing(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value["results"]) || value["results"].length === 0) return false;
  return value["results"].every(
    (result: unknown) =>
      isObject(result) &&
      result["flagged"] === false &&
      isObject(result["categories"]) &&
      Object.values(result["categories"]).every((flag) => flag === false || flag === null),
  );
}

const answerOf = (...results: object[]) => readAnswer(JSON.stringify({ results }));

describe("an answer", () => {
  it("passes only where it says that nothing is flagged, whatever it is", () => {
    let passed = 0;
    fc.assert(
      fc.property(nearly, (value) => {
        // As it is sent: without -0 and the like.
        const sent = JSON.stringify(value);
        const { kind } = readAnswer(sent);
        passed += Number(kind === "passed");
        expect(kind === "passed").toBe(saysNothing(JSON.parse(sent)));
      }),
      { numRuns: 2_000 },
    );
    expect(passed).toBeGreaterThan(50);
  });

  it("passes for no text that is no JSON", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readAnswer(text).kind).toBe("unreadable");
      }),
    );
  });

  it("names what is flagged, and says that something is where nothing is named", () => {
    const categories = { violence: true, sexual: false, illicit: null };
    expect(answerOf({ flagged: true, categories })).toEqual({ kind: "flagged", categories: ["violence"] });
    expect(answerOf({ flagged: true, categories: {} })).toEqual({ kind: "flagged", categories: ["other"] });
  });

  it("counts every flag: of a category alone, and of any result", () => {
    const clean = { flagged: false, categories: { violence: false } };
    const named = { flagged: false, categories: { violence: true } };
    expect(answerOf(clean, named)).toEqual({ kind: "flagged", categories: ["violence"] });
  });

  it("that is none says what does not fit and where, in few words", () => {
    expect(readAnswer('{"results":[{"flagged":"no","categories":{}}]}')).toMatchObject({
      found: expect.stringMatching(/^results\.0\.flagged: .*boolean/),
    });
    expect(readAnswer("<html>a picture</html>")).toMatchObject({
      found: expect.not.stringContaining("html"),
    });
    const long = JSON.stringify({ results: [{ flagged: false, categories: { ["x".repeat(9_999)]: 1 } }] });
    expect(JSON.stringify(readAnswer(long)).length).toBeLessThan(400);
  });
});
