import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginning } from "../../../src/seam/text/cut.ts";

describe("the beginning of a text", () => {
  it("is all of it where it fits", () => {
    expect(beginning("abcd", 4)).toBe("abcd");
    expect(beginning("abcde", 4)).toBe("abcd");
  });

  it("ends between what people see as characters", () => {
    expect(beginning("aaa👻.jpg", 4)).toBe("aaa");
    expect(beginning("aaa👻.jpg", 5)).toBe("aaa👻");
    for (const most of [4, 5, 8]) expect(beginning("a👨‍👩‍👧b", most)).toBe("a");
    expect(beginning("cafe\u0301", 4)).toBe("caf");
  });

  it("is not nothing where one such character is longer than may be kept, and has no half of a sign then either", () => {
    expect(beginning("👨‍👩‍👧", 4)).toBe("👨‍");
    expect(beginning(`👻${"\u0301".repeat(9)}`, 1)).toBe("");
  });

  it("is one that every reader takes, whatever came, and no longer than may be kept", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), fc.nat({ max: 30 }), (some, more, most) => {
        for (const text of [some, `${some}\ud83d${more}`, more.repeat(3) + some]) {
          const kept = beginning(text, most);
          expect(kept.length).toBeLessThanOrEqual(most);
          expect(kept.isWellFormed()).toBe(true);
          expect(text.toWellFormed().startsWith(kept)).toBe(true);
        }
      }),
    );
  });
});
