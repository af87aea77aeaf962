import { describe, expect, it } from "vitest";
import { readingsOf } from "../../../../src/domain/policy/words/readings.ts";
import { shape } from "../../../../src/domain/policy/words/shape.ts";

/** The readings of a text, each as one line. */
const lines = (text: string) =>
  readingsOf(text).map((words) => words.map(({ letters }) => letters).join(" "));

describe("the shape of a word", () => {
  it("has letters for digits and signs, a stroke for those that are one", () => {
    expect(shape("0x 1x 2x 3x 4x 5x 6x 7x 8x 9x")).toBe("ox 1x 2x ex ax sx 6x tx bx gx");
    expect(shape("@x $x €x !x |x *x")).toBe("ax sx ex 1x 1x *x");
  });

  it("leaves numbers as they are", () => {
    expect(shape("15 4 x 90 4x")).toBe("15 4 x 90 ax");
  });

  it("repeats nothing more than thrice, whatever it was before", () => {
    expect(shape("yeeeees yeees")).toBe("yeees yeees");
    expect(shape("ye3e3es")).toBe("yeees");
    expect(shape("11111")).toBe("111");
    // One character, and two units of a string.
    expect(shape("𠀀".repeat(5))).toBe("𠀀".repeat(3));
  });
});

describe("a text", () => {
  it("has one reading where it has neither signs nor digits", () => {
    expect(readingsOf("")).toEqual([[]]);
    expect(lines("Two  plain\nwords")).toEqual(["two plain words"]);
  });

  it("has others where a capital I may be a small l", () => {
    expect(lines("Ilama kIds")).toEqual(["ilama kids", "1lama k1ds"]);
    expect(lines("I am")).toEqual(["i am"]);
  });

  it("is parted at signs, and read with them as letters, and without", () => {
    expect(lines("pa-g3")).toEqual(["pa ge", "pa g 3", "page"]);
    expect(lines("n@me!")).toEqual(["n me", "name", "nme"]);
    expect(lines("15yo")).toEqual(["1syo", "15 yo"]);
  });

  it("is parted at apostrophes, but for what English contracts", () => {
    expect(lines("he's d'or")).toEqual(["he 's d or"]);
  });

  it("has each Chinese and Japanese character for itself, and katakana together", () => {
    expect(lines("裸足の モデル")).toEqual(["裸 足 の モデル"]);
  });

  it("is read with its signs as letters where they may have spread others, too", () => {
    expect(lines("p@g€$!n")).toEqual(["pg n", "pages1n"]);
  });

  it("is put together where it was spread, as the wider gaps say", () => {
    expect(lines("p a g e")).toEqual(["p a g e"]);
    expect(lines("p a g e  t w o")).toEqual(["page two"]);
    expect(lines("p.a.g.e. t.w.o")).toContain("page two");
    const spread = ["page", "two"].map((word) => Array.from(word).join(".".repeat(150)));
    expect(lines(spread.join(" "))).toContain("page two");
  });
});
