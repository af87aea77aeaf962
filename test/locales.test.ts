import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { COMMAND_SPECS } from "../src/domain/dispatch/registry.ts";
import { ERRORS } from "../src/common/errors.ts";
import { sentencesOf } from "../src/common/languages.ts";
import { hasMessage, LOCALES, nearestLocale, translator } from "../src/common/i18n.ts";

const english = sentencesOf("en");

/** A word by itself, in any alphabet. */
const word = (words: string) => new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, "iu");

/** What a reader would stumble over: another way to address them, a second word for one thing, foreign signs. */
const STUMBLES: Readonly<Partial<Record<string, readonly RegExp[]>>> = {
  de: [word("dieser Token|der Zugangstoken|der Token|abgelaufener Token"), word("berechnet"), /\S…/],
  es: [word("vídeos?")],
  fr: [word("tu|toi|ton|ta|tes"), word("chats?"), /'|« | [:;?!»]/],
  pl: [
    word(
      "połącz (?:go|własny|ważny)|połączyli|abonament\\p{L}*|Nic nie (?:zostało )?(?:wysłan[eo]|pobrano|zapisano)",
    ),
  ],
  "pt-BR": [word("chats?|falta-me")],
  tr: [word("sen|seni|senin|sana|oturum"), /’/],
  uk: [/—/],
};

const ENDING = /_(zero|one|two|few|many|other)$/;

/** The keys of sentences, plural endings cut off where the key is a plural. */
function stems(sentences: Record<string, string>): Set<string> {
  return new Set(
    Object.keys(sentences).map((key) => (isPlural(key, sentences) ? key.replace(ENDING, "") : key)),
  );
}

function isPlural(key: string, sentences: Record<string, string>): boolean {
  return ENDING.test(key) && `${key.replace(ENDING, "")}_other` in sentences;
}

/** What a sentence is filled with, without the format. */
function parameters(sentence: string): string[] {
  return [...sentence.matchAll(/\{\{\s*(\w+)/g)].map(([, name = ""]) => name).toSorted();
}

describe.each(LOCALES)("locales/%s.json", (locale) => {
  const sentences = sentencesOf(locale);

  it("says nothing under a name that it has already", async () => {
    const file = await readFile(new URL(`../locales/${locale}.json`, import.meta.url), "utf8");
    expect([...file.matchAll(/^ {2}"/gm)]).toHaveLength(Object.keys(sentences).length);
  });

  it("says everything that English says, and nothing else", () => {
    expect(stems(sentences)).toEqual(stems(english));
  });

  it("has every plural form that its language knows", () => {
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted();
    for (const stem of stems(sentences)) {
      if (stem in sentences) continue;
      const found = Object.keys(sentences).filter(
        (key) => key.replace(ENDING, "") === stem && ENDING.test(key),
      );
      expect(found.map((key) => key.replace(`${stem}_`, "")).toSorted(), stem).toEqual(forms);
    }
  });

  it("fills its sentences with the same parameters as English", () => {
    for (const [key, sentence] of Object.entries(sentences)) {
      const stem = key.replace(ENDING, "");
      const said = english[key] ?? english[`${stem}_other`] ?? "";
      const allowed = parameters(said);
      const count = isPlural(key, sentences)
        ? parameters(sentence).filter((name) => name !== "count")
        : parameters(sentence);
      const wanted = isPlural(key, sentences) ? allowed.filter((name) => name !== "count") : allowed;
      expect(count, key).toEqual(wanted);
    }
  });

  // By it, what is said of a problem's cost finds its place (`problemLines`).
  it("says in the same words everywhere that nothing was charged", () => {
    const { "view.charged.none": none = "" } = sentences;
    const { "view.charged.none": said = "" } = english;
    const saying = Object.keys(english).filter(
      (key) => key.startsWith("error.") && english[key]?.includes(said),
    );
    expect(saying.filter((key) => key in sentences && !sentences[key]?.includes(none))).toEqual([]);
    expect(saying.length).toBeGreaterThan(20);
  });

  it("speaks to everybody in one way, and of one thing in one word", () => {
    for (const [key, sentence] of Object.entries(sentences))
      for (const stumble of STUMBLES[locale] ?? []) expect(sentence, key).not.toMatch(stumble);
  });

  it("has a sentence for every error", () => {
    for (const code of Object.keys(ERRORS)) expect(hasMessage(`error.${code}`), code).toBe(true);
  });

  it("says in the page's help where things are on the page: balance and settings have no place of their own", () => {
    const say = translator(locale);
    const help = say("help.page");
    for (const name of [
      "command.jobs",
      "page.panel.account",
      "page.panel.privacy",
      "command.forget",
    ] as const)
      expect(help).toContain(say(name));
    expect(help).not.toContain(say("command.settings"));
  });

  it("says every label of every command", () => {
    const say = translator(locale);
    for (const { label, description, fields } of COMMAND_SPECS) {
      for (const key of [label, description, ...fields.map((field) => field.label)])
        expect(say(key)).not.toBe(key);
    }
  });
});

describe("languages", () => {
  it("are found by the nearest tag", () => {
    expect(nearestLocale("pl-PL")).toBe("pl");
    expect(nearestLocale("de_AT")).toBe("de");
    expect(nearestLocale("xx")).toBe("en");
    expect(nearestLocale(undefined, "de")).toBe("de");
    expect(nearestLocale("PL_pl.UTF-8")).toBe("pl");
    expect(nearestLocale("C.UTF-8")).toBe("en");
    expect(nearestLocale("xx;q=1, de-CH;q=0.9,pl", "en")).toBe("de");
    expect(nearestLocale("", "pl")).toBe("pl");
  });

  it("count as their speakers do", () => {
    const say = translator("pl");
    const counted = [1, 3, 5].map((count) => say("delete.done", { count }));
    expect(new Set(counted).size).toBe(3);
  });

  it("count tokens as their speakers do", () => {
    const [inEnglish, inPolish] = [translator("en"), translator("pl")];
    const said = [1, 2, 1.5].map((tokens) => inEnglish("fact.tokens", { tokens }));
    expect(said).toEqual(["1 token", "2 tokens", "1.5 tokens"]);
    const counted = [1, 3, 5, 6.9].map((tokens) => inPolish("fact.tokens", { tokens }));
    expect(counted).toEqual(["1 token", "3 tokeny", "5 tokenów", "6,9 tokena"]);
  });
});
