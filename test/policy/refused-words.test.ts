import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusedByWords, type Wish } from "../../src/policy/refused-words.ts";
import { DISGUISES, WORD_DISGUISES } from "./disguises.ts";
import { ALLOWED, OF_AGE, OF_CLOTHES, OF_MINORS, OF_PHOTOS } from "./prompts.ts";

const judged = (text: string, different: Partial<Wish> = {}) =>
  refusedByWords({ text, avoided: "", photos: false, mature: false, ...different });
const ofPhoto = (text: string) => judged(text, { photos: true });

const seeds = fc.integer({ min: 1, max: 2 ** 30 - 1 });
/** Ordinary words around what is refused, parted from it as sentences are. */
const around = fc.constantFrom(...ALLOWED);

/** What is refused stays so, whatever hides it and stands around it. */
function refusing(
  texts: readonly string[],
  disguise: (text: string, seed: number) => string,
  verdict: ReturnType<typeof ofPhoto>,
): fc.IPropertyWithHooks<[string, number, string, string]> {
  return fc.property(fc.constantFrom(...texts), seeds, around, around, (text, seed, before, after) => {
    expect(ofPhoto(disguise(text, seed))).toBe(verdict);
    expect(ofPhoto(`${before}. ${disguise(text, seed)}. ${after}`)).toBeDefined();
  });
}

describe("what is sexual of minors", () => {
  it.each([...OF_MINORS, ...OF_AGE])("is refused, with a photo or without: %s", (text) => {
    expect(judged(text)).toBe("minors_refused");
    expect(judged(text, { photos: true, mature: true })).toBe("minors_refused");
  });

  it.each(Object.entries(DISGUISES))("is refused in spite of %s", (_, disguise) => {
    fc.assert(refusing([...OF_MINORS, ...OF_AGE], disguise, "minors_refused"));
  });

  it.each(Object.entries(WORD_DISGUISES))(
    "is refused in spite of %s for letters or between them",
    (_, disguise) => {
      fc.assert(refusing(OF_MINORS, disguise, "minors_refused"));
    },
  );

  it.each(["lolicon", "jailbait", "#nakedteen", "Kinderporno", "teensex"])(
    "is refused in one word: %s",
    (text) => {
      expect(judged(text)).toBe("minors_refused");
    },
  );

  it("is refused wherever its parts stand", () => {
    expect(judged(`A child in the garden.${" Slow zoom.".repeat(100)}\nnude`)).toBe("minors_refused");
  });
});

describe("what is sexual of a photo", () => {
  const texts = [...OF_PHOTOS, ...OF_CLOTHES];

  it.each(texts)("is refused: %s", (text) => {
    expect(ofPhoto(text)).toBe("undressing_refused");
  });

  it.each(texts)("is another rule's business without a photo, or with a mature template: %s", (text) => {
    expect(judged(text)).toBeUndefined();
    expect(judged(text, { photos: true, mature: true })).toBeUndefined();
  });

  it.each(Object.entries({ ...DISGUISES, ...WORD_DISGUISES }))("is refused in spite of %s", (_, disguise) => {
    fc.assert(refusing(texts, disguise, "undressing_refused"));
  });
});

describe("what is to be avoided", () => {
  it.each([
    "child, nude, nsfw, blurry",
    "naked child",
    "Kind, nackt",
    "bad clothing, wrinkled clothes",
    "old, wrinkles",
  ])("is what careful people write: %s", (avoided) => {
    expect(judged("nude woman", { avoided })).toBeUndefined();
    expect(judged("a child on a swing", { avoided, photos: true })).toBeUndefined();
  });

  it.each(["clothes", "blurry, (clothing:1.4)", "Kleidung", "ubranie"])(
    "undresses, if it is clothes: %s",
    (avoided) => {
      expect(judged("slow zoom", { avoided, photos: true })).toBe("undressing_refused");
      expect(judged("a child on a swing", { avoided })).toBe("minors_refused");
    },
  );

  it("makes children of grown-ups, if it is those", () => {
    expect(judged("nude, standing", { avoided: "adult, blurry" })).toBe("minors_refused");
    expect(judged("a family of bears", { avoided: "adult, blurry" })).toBeUndefined();
  });
});

describe("ordinary words", () => {
  it.each(ALLOWED)("are allowed, with a photo or without: %s", (text) => {
    expect(judged(text)).toBeUndefined();
    expect(ofPhoto(text)).toBeUndefined();
  });

  it("are allowed in any case and with any accents", () => {
    const disguises = [DISGUISES["capital letters"], DISGUISES["umlauts written out"], DISGUISES["accents"]];
    fc.assert(
      fc.property(around, seeds, fc.constantFrom(...disguises), (text, seed, disguise) => {
        expect(ofPhoto(disguise?.(text, seed) ?? text)).toBeUndefined();
      }),
    );
  });
});

describe("long texts", () => {
  it.each([
    ["words", "the quick brown fox "],
    ["single letters", "a "],
    ["one letter", "l"],
    ["digits", "1"],
    ["signs", "*"],
    ["signs in a word", "a!"],
    ["accents", "a\u0301"],
    ["Arabic phrases in one character", "\uFDFA"],
    ["beginnings of a term", "remove her "],
    ["little words", "she is his "],
    ["short items", "a,"],
  ])("are judged in time that grows with their length: %s", (_, part) => {
    const timeOf = (length: number) => {
      const text = part.repeat(length / part.length);
      const times = Array.from({ length: 3 }, () => {
        const from = performance.now();
        judged(text, { avoided: text, photos: true });
        return performance.now() - from;
      });
      return Math.min(...times);
    };
    timeOf(1_000);
    // Eight times the length; were it quadratic, it took 64 times as long.
    expect(timeOf(20_000)).toBeLessThan(30 * timeOf(2_500) + 5);
  });
});
