import { describe, expect, it } from "vitest";
import { FORMATS, PLACE } from "../../src/common/formats.ts";
import { hasMessage, LOCALES, type MessageKey, sentenceOf, translator } from "../../src/common/i18n.ts";
import { sentencesOf } from "../../src/common/languages.ts";

/** Tokens as each language counts them: its plurals are CLDR's, not those of English. */
const COUNTED = {
  en: ["1 token", "2 tokens", "5 tokens", "21 tokens", "1.5 tokens", "1,000,000 tokens"],
  de: ["1 Token", "2 Tokens", "5 Tokens", "21 Tokens", "1,5 Tokens", "1.000.000 Tokens"],
  es: ["1 token", "2 tokens", "5 tokens", "21 tokens", "1,5 tokens", "1.000.000 de tokens"],
  fr: ["1 jeton", "2 jetons", "5 jetons", "21 jetons", "1,5 jeton", "1 000 000 de jetons"],
  pl: ["1 token", "2 tokeny", "5 tokenów", "21 tokenów", "1,5 tokena", "1 000 000 tokenów"],
  "pt-BR": ["1 token", "2 tokens", "5 tokens", "21 tokens", "1,5 token", "1.000.000 de tokens"],
  tr: ["1 jeton", "2 jeton", "5 jeton", "21 jeton", "1,5 jeton", "1.000.000 jeton"],
  uk: ["1 токен", "2 токени", "5 токенів", "21 токен", "1,5 токена", "1 000 000 токенів"],
} as const;

describe.each(LOCALES)("sentences in %s", (locale) => {
  const say = translator(locale);

  it("count as their speakers do", () => {
    const said = [1, 2, 5, 21, 1.5, 1e6].map((tokens) => say("fact.tokens", { tokens }));
    expect(said.map((sentence) => sentence.replaceAll(/[\u00A0\u202F]/g, " "))).toEqual(COUNTED[locale]);
  });

  it("have places that are filled, in formats that there are", () => {
    for (const [key, sentence] of Object.entries(sentencesOf(locale))) {
      expect(sentence.replaceAll(PLACE, ""), key).not.toMatch(/[{}]{2}/);
      for (const [, , format = "tokens"] of sentence.matchAll(PLACE))
        expect(Object.keys(FORMATS), key).toContain(format);
    }
  });

  it("take what people write for no place of their own", () => {
    const title = "{{page}} $t(browse.all) $& {{title}}";
    const said = say("browse.list", { title, page: 2, pages: 3 });
    expect(said).toContain(title);
    expect(said.replace(title, "")).toMatch(/2.*3/);
  });
});

describe("a sentence", () => {
  it("is said of its count, else of its tokens", () => {
    const say = translator("en");
    expect(say("action.again_for", { tokens: 1 })).toBe("Again · 1 token");
    expect(say("action.again_for", { tokens: 1, count: 2 })).toBe("Again · 1 tokens");
  });

  it("says large numbers of things as its language writes them", () => {
    const said = [
      translator("en")("delete.done", { count: 12_345 }),
      translator("de")("error.field_too_long", { field: "Text", max: 20_000 }),
      translator("en")("error.daily_cap", { max: 1_500 }),
      translator("en")("wanted.characters_to", { count: 20_000 }),
      translator("en")("console.share", { used: 1_000, limit: 2_000 }),
    ];
    const numbers = said.map((sentence) => sentence.match(/\d[\d.,]*\d/g));
    expect(numbers).toEqual([["12,345"], ["20.000"], ["1,500"], ["20,000"], ["1,000", "2,000"]]);
    // What stands there may also be said in words.
    expect(translator("en")("group.role_daily", { role: "Staff", count: "none" })).toBe("Staff: none");
  });

  it("keeps a place for which there is no value, as it is written", () => {
    const say = translator("en");
    expect(say("browse.count")).toBe("{{name}} ({{count}})");
    expect(say("browse.count", { name: "Dance" })).toBe("Dance ({{count}})");
    expect(say("cli.charged", { count: 2 })).toBe("Tokens charged: {{tokens, tokens}}");
  });

  it("is its key where no language has it", () => {
    for (const locale of LOCALES) expect(translator(locale)("no.such" as MessageKey)).toBe("no.such");
    expect(hasMessage("no.such")).toBe(false);
  });

  it("writes what a value is", () => {
    const say = translator("de");
    expect(say("cli.charged", { tokens: 1234.567 })).toContain("1.234,57");
    expect(FORMATS.duration(75_000, "en")).toBe("1 min 15 sec");
    expect(FORMATS.duration(5_400_000, "en")).toBe("1.5 hr");
    expect(FORMATS.size(2_500_000, "de")).toBe("2,5 MB");
    expect(FORMATS.number(1e6, "en")).toBe("1,000,000");
  });

  it("is shown with the names of its places, a plural as of several", () => {
    expect(sentenceOf("browse.count")).toBe("{name} ({count})");
    expect(sentenceOf("fact.tokens")).toBe("{tokens} tokens");
  });
});
