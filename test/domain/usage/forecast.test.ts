import { describe, expect, it } from "vitest";
import { forecastOf, forecastSince } from "../../../src/domain/usage/forecast.ts";

const NOON = Date.parse("2026-03-11T12:00:00Z");
const END = Date.parse("2026-04-01T00:00:00Z");

const days = (tokens: Record<string, number>) => new Map(Object.entries(tokens));

describe("what a month may come to", () => {
  it("is what was spent, and for what is left as much a day as in the last seven whole days", () => {
    const spent = days({
      "2026-03-01": 5,
      // Seven whole days, on two of which something was spent.
      "2026-03-04": 10,
      "2026-03-10": 4,
      // Today counts with what it is so far.
      "2026-03-11": 1,
    });
    expect(forecastOf(spent, "2026-01-01", NOON)).toEqual({
      soFar: 20,
      perDay: 2,
      days: 7,
      // Twenty days and a half are left.
      tokens: 20 + 2 * 20.5,
      until: END,
    });
  });

  it("is not said before three whole days have passed, and then by those that there are", () => {
    const spent = days({ "2026-03-09": 6, "2026-03-11": 3 });
    expect(forecastOf(spent, "2026-03-09", NOON)).toMatchObject({ tokens: null, days: 2, soFar: 9 });
    expect(forecastOf(spent, "2026-03-08", NOON)).toMatchObject({ tokens: 9 + 2 * 20.5, days: 3, perDay: 2 });
    expect(forecastOf(days({}), undefined, NOON)).toEqual({
      soFar: 0,
      perDay: 0,
      days: 0,
      tokens: null,
      until: END,
    });
  });

  it("looks back beyond the first of the month, which is none of what was spent in it", () => {
    const first = Date.parse("2026-03-02T00:00:00Z");
    expect(forecastSince(first)).toBe("2026-02-23");
    expect(forecastSince(NOON)).toBe("2026-03-01");
    const spent = days({ "2026-02-23": 7, "2026-02-28": 7, "2026-03-01": 0 });
    expect(forecastOf(spent, "2026-02-01", first)).toMatchObject({ soFar: 0, perDay: 2, tokens: 60 });
  });

  it("has no tail of binary fractions, and says hundredths", () => {
    const spent = days({ "2026-03-08": 0.1, "2026-03-09": 0.2, "2026-03-10": 0.05 });
    const { soFar, perDay, tokens } = forecastOf(spent, "2026-03-08", NOON);
    expect([soFar, perDay, tokens]).toEqual([0.35, 0.12, 2.74]);
  });
});
