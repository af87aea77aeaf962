import * as fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fold, reveal } from "../../../../src/domain/policy/words/fold.ts";

describe("what a reader sees", () => {
  it.each([
    ["capital letters", "PAGE", "page"],
    ["compatibility forms", "ｐａｇｅ 𝓹𝓪𝓰𝓮 ⓟⓐⓖⓔ", "page page page"],
    ["Cyrillic letters", "раgе", "page"],
    ["Greek letters", "ΡΑGΕ", "page"],
    ["Cherokee and Lisu letters", "ᏢᎪᏀᎬ ꓑꓮꓖꓰ", "page page"],
    ["small capitals", "ᴘᴀɢᴇ ʍaĸe iᴎ", "page make in"],
    ["phonetic letters", "pagə pɜn ɔat", "page pen cat"],
    [
      "Greek and Cyrillic letters that are alike only as small ones",
      "βook ωατεr бook шeeк",
      "book water book week",
    ],
    ["capitals whose small letters are alike", "ГED ЬAG", "red bag"],
    ["letters of flags, in squares and in dark circles", "🇵🇦🇬🇪 🅿🅰🅶🅴 🅟🅐🅖🅔", "page page page"],
    ["letters and numbers in brackets, and with full stops", "⒫⒜⒢⒠ ⑴⑵ ⒈⒉", "page 12 12"],
    ["what is invisible", "p\u200Ba\u00ADg\u2060e\uFE0F\u{E0061}\u0000", "page"],
    ["accents", "p\u0301a\u0302g\u0303e\u0304", "page"],
    ["German letters", "Größe, Öl, ÄPFEL, STRASSE", "grosse ol apfel strasse"],
    ["Polish letters", "Zażółć gęślą jaźń, ŁÓDŹ", "zazołc gesla jazn łodz".replaceAll("ł", "l")],
    ["kana and their voices apart", "か゛ は゜ a゛", "が ぱ a"],
    ["the capital I of any alphabet", "kІds kΙds kⅠds", "kids kids kids"],
    ["signs and digits as they are", "p@ge, 15€!", "p ge 15"],
    [
      "Arabic, Persian and Devanagari digits",
      "٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ०१२३४५६७८९",
      Array(3).fill("0123456789").join(" "),
    ],
  ])("is the same for %s", (_, text, seen) => {
    expect(fold(text)).toBe(seen);
  });

  it.each([0x1_f150, 0x1_f170, 0x1_f1e6])(
    "is the alphabet for the letters in a shape of their own from %i on",
    (first) => {
      const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(first + index));
      expect(reveal(letters.join(""))).toBe("abcdefghijklmnopqrstuvwxyz");
      for (const beside of [first - 1, first + 26])
        expect(reveal(String.fromCodePoint(beside))).not.toMatch(/[`{]/);
    },
  );

  it("is the same Chinese character for each of its compatibility forms", () => {
    const forms = Array.from({ length: 0x2_fa20 - 0x3400 }, (_, index) =>
      String.fromCodePoint(0x3400 + index),
    ).filter((character) => /\p{sc=Han}/u.test(character) && character.normalize("NFD") !== character);
    expect(forms.length).toBeGreaterThan(1_000);
    for (const form of forms) expect(reveal(form)).toBe(form.normalize("NFD"));
  });

  it("is worked out once for each character, until twenty thousand others were seen", () => {
    const worked = vi.spyOn(String.prototype, "normalize");
    onTestFinished(() => worked.mockRestore());
    const times = (text: string) => {
      worked.mockClear();
      reveal(text);
      return worked.mock.calls.length;
    };
    reveal("ж");
    expect(times("ж")).toBe(0);
    for (let code = 0xf_0000; code < 0xf_0000 + 20_000; code++) reveal(String.fromCodePoint(code));
    expect(times("ж")).toBeGreaterThan(0);
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
