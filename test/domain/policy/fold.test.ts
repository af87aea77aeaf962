import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, reveal } from "../../../src/domain/policy/words/fold.ts";

describe("what a reader sees", () => {
  it.each([
    ["capital letters", "PAGE", "page"],
    ["compatibility forms", "ｐａｇｅ 𝓹𝓪𝓰𝓮 ⓟⓐⓖⓔ", "page page page"],
    ["Cyrillic letters", "раgе", "page"],
    ["Greek letters", "ΡΑGΕ", "page"],
    ["Cherokee and Lisu letters", "ᏢᎪᏀᎬ ꓑꓮꓖꓰ", "page page"],
    ["small capitals", "ᴘᴀɢᴇ", "page"],
    ["letters of flags and in squares", "🇵🇦🇬🇪 🅿🅰🅶🅴", "page page"],
    ["what is invisible", "p\u200Ba\u00ADg\u2060e\uFE0F\u{E0061}\u0000", "page"],
    ["accents", "p\u0301a\u0302g\u0303e\u0304", "page"],
    ["German letters", "Größe, Öl, ÄPFEL, STRASSE", "grosse ol apfel strasse"],
    ["Polish letters", "Zażółć gęślą jaźń, ŁÓDŹ", "zazołc gesla jazn łodz".replaceAll("ł", "l")],
    ["kana and their voices apart", "か゛ は゜ a゛", "が ぱ a"],
    ["the capital I of any alphabet", "kІds kΙds kⅠds", "kids kids kids"],
    ["signs and digits as they are", "p@ge, 15€!", "p ge 15"],
  ])("is the same for %s", (_, text, seen) => {
    expect(fold(text)).toBe(seen);
  });

  it("stays the same when it is looked at again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(reveal(reveal(text))).toBe(reveal(text));
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 2_000, examples: [["\u309B"], ["\u0D0A"]] },
    );
  });
});
