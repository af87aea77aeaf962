import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut } from "../../../src/seam/text/cut.ts";

const inUnits = (text: string) => text.length;

describe("a text that is cut", () => {
  it("says so, and is never cut inside of what people see as a character", () => {
    expect(cut("abcd", 4)).toBe("abcd");
    expect(cut("abcde", 4)).toBe("abc…");
    expect(cut("ab cde", 4)).toBe("ab…");
    const family = "👨‍👩‍👧";
    expect(cut(`a${family}b`, 5)).toBe("a…");
  });

  it("fits, however its length is counted", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
        expect(inUnits(cut(text, limit, inUnits))).toBeLessThanOrEqual(limit);
        expect(Array.from(cut(text, limit)).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
