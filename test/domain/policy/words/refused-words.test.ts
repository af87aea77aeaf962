import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { lexicon } from "../../../../tools/docs/lexicon.ts";
import { refusedByWords, type Wording } from "../../../../src/domain/policy/words/refused-words.ts";
import { work } from "../../../../src/domain/policy/words/work.ts";
import { DISGUISES, WORD_DISGUISES } from "../disguises.ts";
import { ALLOWED, PROMPTS } from "../prompts.ts";
import { drawn } from "../../../support/keys.ts";
import { HOSTILE_MIXTURES, HOSTILE_TEXTS } from "../hostile-texts.ts";
import { sentences } from "../sentences.ts";

const judged = (text: string, different: Partial<Wording> = {}) =>
  refusedByWords({ text, avoided: "", photos: false, mature: false, ...different });
const ofPhoto = (text: string) => judged(text, { photos: true });

const TRICKS = Object.entries({ ...DISGUISES, ...WORD_DISGUISES });

describe.each(Object.entries(PROMPTS))("prompts in one language (%s)", (_, prompts) => {
  it("are enough to tell", () => {
    expect(prompts.allowed.length).toBeGreaterThanOrEqual(60);
    expect(prompts.minors.who.length + prompts.ofPhotos.length).toBeGreaterThanOrEqual(60);
  });

  it.each(prompts.allowed)("are allowed, with a photo or without: %s", (text) => {
    expect(judged(text)).toBeUndefined();
    expect(ofPhoto(text)).toBeUndefined();
  });

  it.each(prompts.allowedWithoutPhoto)("are allowed without a photo alone: %s", (text) => {
    expect(judged(text)).toBeUndefined();
    expect(ofPhoto(text)).toBe("undressing_refused");
  });

  it.each(prompts.minors.who)("are refused where they are sexual, with a photo or without: %s", (who) => {
    for (const text of [`${prompts.minors.sexual} ${who}`, `${who}, ${prompts.minors.sexual}`]) {
      expect(judged(text)).toBe("minors_refused");
      expect(judged(text, { photos: true, mature: true })).toBe("minors_refused");
    }
    expect(ofPhoto(who)).toBeUndefined();
  });

  it.each(prompts.ofPhotos)("are refused of a photo, unless a mature template was chosen: %s", (text) => {
    expect(ofPhoto(text)).toBe("undressing_refused");
    expect(judged(text)).toBeUndefined();
    expect(judged(text, { photos: true, mature: true })).toBeUndefined();
  });
});

/** Each way to say a term: every alternative of a word once, the first of each other. */
function waysToSay(term: string): string[] {
  const slots = term
    .split(" ")
    .filter((slot) => slot !== "~")
    .map((slot) => (slot === "#" ? ["15"] : slot.replaceAll("*", "").split("|")));
  const most = Math.max(...slots.map((words) => words.length));
  return Array.from({ length: most }, (_, turn) =>
    slots.map((words) => words[turn % words.length] ?? "").join(" "),
  );
}

/** What stands beside a term of each list so that it is refused. */
const LISTS = [
  { list: "minors", beside: "nude", photos: false },
  { list: "named", beside: "slow zoom", photos: false },
  { list: "sexual", beside: "schoolgirl", photos: false },
  { list: "suggestive", beside: "schoolgirl", photos: false },
  { list: "undressing", beside: "slow zoom", photos: true },
] as const;

describe.each(LISTS)("every entry of the list $list", ({ list, beside, photos }) => {
  const ways = lexicon(list).map(waysToSay);

  it("is refused in all its words", () => {
    const missed = ways.flat().filter((text) => !judged(`${text}. ${beside}`, { photos }));
    expect(missed).toEqual([]);
  });

  it.each(TRICKS)("is refused in spite of %s", (_, disguise) => {
    const missed = ways.flatMap((words, index) => {
      const text = disguise(words[index % words.length] ?? "", 0x2b3c4d5e + index);
      return judged(`${beside}. ${text}. ${beside}`, { photos }) === undefined ? [text] : [];
    });
    expect(missed).toEqual([]);
  });
});

describe("what is sexual of minors", () => {
  it.each(["lolicon", "jailbait", "#nakedteen", "#SexyTeens", "Kinderporno", "teensex"])(
    "is refused in one word: %s",
    (text) => {
      expect(judged(text)).toBe("minors_refused");
    },
  );

  it("is refused wherever its parts stand", () => {
    expect(judged(`A child in the garden.${" Slow zoom.".repeat(100)}\nnude`)).toBe("minors_refused");
  });
});

describe("Arabic", () => {
  it.each([
    "طفل عار",
    "طفلٌ عارٍ",
    "صبي عارٍ على السرير",
    "الطفل وهو عارٍ",
    "طفل عمره خمس سنوات بجسد عار",
    "أطفال عرايا",
    "طفلان عاريان",
    "بنتان صغيرتان عاريتان",
    "صورة لطفل عارية",
    "طفل متعرٍّ",
  ])(
    "has forms without what their dictionary's one ends with, pairs, and words with «for» before them: %s",
    (text) => {
      expect(judged(text)).toBe("minors_refused");
    },
  );

  it.each([
    "عار على المجتمع أن يجوع طفل",
    "يا للعار، طفل يبكي",
    "طفل يشعر بالعار",
    "الطفل يقرأ عن عار الهزيمة",
    "طفل عارف بالقراءة",
    "طفل يحمل شعار المدرسة",
    "أشجار عارية لأطفال يلعبون",
  ])("has a word for shame, and others that begin like naked: %s", (text) => {
    expect(judged(text)).toBeUndefined();
  });
});

describe("what is to be avoided", () => {
  it.each([
    "child, nude, nsfw, blurry",
    "naked child",
    "Kind, nackt",
    "bad clothing, wrinkled clothes",
    "old, wrinkles",
    "clothes with wrinkles",
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
  it("are allowed in any case and with any accents", () => {
    const names = ["capital letters", "umlauts written out", "accents"];
    const disguised = names.flatMap((name) =>
      ALLOWED.flatMap((text, index) =>
        [0, 1, 2].map((seed) => DISGUISES[name]?.(text, 3 * index + seed) ?? ""),
      ),
    );
    expect(disguised.length).toBe(9 * ALLOWED.length);
    expect(disguised.filter((text) => text === "" || ofPhoto(text))).toEqual([]);
  });

  it("are words in Cyrillic capitals, of which one looks like a digit and is one beside others", () => {
    expect(ofPhoto("КАПІТАН ЗАБИВ ГОЛА, ДІТИ НА ТРИБУНАХ")).toBeUndefined();
    expect(judged("nude girl, 1З years old")).toBe("minors_refused");
  });

  it.each(TRICKS)("are refused no more with %s than without", (name, disguise) => {
    const every = Math.floor(sentences.length / 80);
    // German's "Dessous" with letters repeated is not told from French "ci-dessous" with letters repeated.
    const isTold = (text: string) => name !== "repeated letters" || !text.includes("ci-dessous");
    const refused = sentences
      .filter((text, index) => index % every === 0 && isTold(text))
      .map((text, index) => disguise(text, 0x1b3c4d5e + index))
      .filter(ofPhoto);
    // What is left of a word beside its digits and signs is a piece: rarely, pieces make a word.
    expect(refused.length, refused.join("\n")).toBeLessThanOrEqual(
      name === "digits" || name === "signs" ? 2 : 0,
    );
  });
});

/** How many steps it takes to judge a text, as what is wanted and as what is to be avoided. */
const stepsFor = (text: string) => {
  const before = work.steps;
  judged(text, { avoided: text, photos: true });
  return work.steps - before;
};

/** The longest text that is judged, in characters. */
const LONGEST = 16_000;

const repeated = (part: string) => (length: number) => part.repeat(Math.floor(length / part.length));

/** Parts in an order that is drawn once: a shorter text is how the longest begins. */
function mixed(parts: readonly string[], seed: string) {
  const below = drawn(seed);
  let text = "";
  while (text.length < LONGEST) text += parts[below(parts.length)] ?? "";
  return (length: number) => text.slice(0, length);
}

/**
 * How many steps a character may cost that is judged twice. 4,096 characters may cost 5 ms, which is 1.2 µs for each; a
 * step takes up to 20 ns with what is done beside it. Of 42 steps that is 0.85 µs: the rest is for reading its words.
 */
const MOST_STEPS = 85;

/** How many steps a character costs of texts of a kind, by their length: at the most. */
const stepsPerCharacter = (textOf: (length: number) => string) =>
  Math.max(...[1_000, 4_000, LONGEST].map((length) => stepsFor(textOf(length)) / length));

/** How much more four times the length costs, but for what is learned once. */
function growthOf(textOf: (length: number) => string) {
  // The rules have forgotten the words of other texts by then.
  stepsFor(textOf(200));
  const short = stepsFor(textOf(4_000));
  return (stepsFor(textOf(LONGEST)) - 1_000) / short;
}

/** A verdict must not depend on luck: the same texts each time, and what was worst in long searches for worse ones. */
const SEEDS = [-1_792_549_704, 1];

describe("hostile texts take steps that grow with their length alone", () => {
  const letters = fc.constantFrom(
    ...Array.from("1*@$il aeoun.-'skdt!|"),
    "\u0301",
    "\u200B",
    "а",
    "裸",
    "ん",
    "न",
    "ط",
    "nude",
    "her ",
    "kid",
  );
  const parts = fc.array(letters, { minLength: 1, maxLength: 12 });

  it.each(Object.entries(HOSTILE_TEXTS))("of %s", (_, part) => {
    expect(growthOf(repeated(part))).toBeLessThan(4.2);
    expect(stepsPerCharacter(repeated(part))).toBeLessThan(MOST_STEPS);
  });

  it.each(Object.entries(HOSTILE_MIXTURES))("of %s", (name, characters) => {
    expect(stepsPerCharacter(mixed(Array.from(characters), name))).toBeLessThan(MOST_STEPS);
  });

  it.each(SEEDS)("whatever they repeat (seed %i)", (seed) => {
    fc.assert(
      fc.property(parts, (all) => {
        const textOf = repeated(all.join(""));
        expect(growthOf(textOf)).toBeLessThan(4.2);
        expect(stepsPerCharacter(textOf)).toBeLessThan(MOST_STEPS);
      }),
      { numRuns: 100, seed },
    );
  });

  it.each(SEEDS)("whatever they are mixed of (seed %i)", (seed) => {
    fc.assert(
      fc.property(parts, (all) => {
        expect(stepsPerCharacter(mixed(all, `${seed}`))).toBeLessThan(MOST_STEPS);
      }),
      { numRuns: 40, seed },
    );
  });
});

it("reads its lists before the first request, once it is told to", async () => {
  vi.resetModules();
  const fresh = await import("../../../../src/domain/policy/words/refused-words.ts");
  const { work: steps } = await import("../../../../src/domain/policy/words/work.ts");
  fresh.warmUpWords();
  const before = steps.steps;
  expect(before).toBeGreaterThan(10_000);
  fresh.signsOf({ text: "a cat", avoided: "" });
  expect(steps.steps - before).toBeLessThan(1_000);
});
