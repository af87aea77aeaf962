import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { lexicon } from "../../../../tools/docs/lexicon.ts";
import { refusedByWords, type Wording } from "../../../../src/domain/policy/words/refused-words.ts";
import { work } from "../../../../src/domain/policy/words/work.ts";
import { DISGUISES, WORD_DISGUISES } from "../disguises.ts";
import { ALLOWED, PROMPTS } from "../prompts.ts";
import { HOSTILE_TEXTS } from "../hostile-texts.ts";
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
    const refused = sentences
      .filter((_, index) => index % every === 0)
      .map((text, index) => disguise(text, 0x1b3c4d5e + index))
      .filter(ofPhoto);
    // What is left of a word beside its digits and signs is a piece: rarely, pieces make a word.
    expect(refused.length, refused.join("\n")).toBeLessThanOrEqual(
      name === "digits" || name === "signs" ? 2 : 0,
    );
  });
});

/** How many steps it takes to judge a text of a length; the tree has forgotten the words of others. */
const stepsFor = (part: string, length: number) => {
  const text = part.repeat(Math.floor(length / part.length));
  const before = work.steps;
  judged(text, { avoided: text, photos: true });
  return work.steps - before;
};

describe("hostile texts", () => {
  it.each(Object.entries(HOSTILE_TEXTS))("take steps that grow with their length alone: %s", (_, part) => {
    stepsFor(part, 100);
    const [short, long] = [stepsFor(part, 5_000), stepsFor(part, 20_000)];
    expect(long).toBeLessThan(4.2 * short + 1_000);
    expect(long / 20_000).toBeLessThan(75);
  });

  it("take steps that grow with their length alone, whatever they are made of", () => {
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
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 12 }), (parts) => {
        const part = parts.join("");
        stepsFor(part, 200);
        const [short, long] = [stepsFor(part, 1_000), stepsFor(part, 4_000)];
        expect(long).toBeLessThan(4.5 * short + 1_000);
        expect(long / 4_000).toBeLessThan(150);
      }),
      { numRuns: 300 },
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
