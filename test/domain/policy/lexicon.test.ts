import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import en from "../../../src/domain/policy/rules/en.json" with { type: "json" };
import { lexiconOf } from "../../../tools/docs/lexicon.ts";
import { WORDS, wordsFile } from "../../../tools/docs/words.ts";

describe("a file of words", () => {
  it("is taken when it is what it should be", () => {
    expect(lexiconOf("en.json", en)).toEqual(en);
  });

  it.each([
    ["no lists", null, "the file: no lists"],
    ["a list that is missing", { ...en, minors: undefined }, "minors: no entries"],
    ["a list that is empty", { ...en, sexual: [] }, "sexual: no entries"],
    ["a list that nobody looks for", { ...en, minor: ["kid"] }, "minor: no list of that name is looked for"],
    ["what is no text", { ...en, named: ["x", 5] }, "named, entry 2 (5): not a text"],
    ["a capital", { ...en, named: ["Kid"] }, '"Kid" is no word of small letters, nor several with | between'],
    ["nothing between bars", { ...en, named: ["a||b"] }, '"a||b" is no word'],
    ["two spaces", { ...en, named: ["a  b"] }, '"" is no word'],
    ["a star within a word", { ...en, named: ["a*b"] }, '"a*b" is no word'],
    ["a gap at an end", { ...en, named: ["a ~"] }, "begins or ends with ~"],
    ["a phrase as a little word", { ...en, little: ["a b"] }, "not a single word"],
    ["one entry twice", { ...en, named: ["a", "a"] }, 'named, entry 2 ("a"): stands there twice'],
  ])("stops the start for %s, and says where", (_, content, why) => {
    expect(() => lexiconOf("en.json", content)).toThrow(`src/domain/policy/rules/en.json: `);
    expect(() => lexiconOf("en.json", content)).toThrow(why);
  });
});

it("has every list compiled: npm run docs", () => {
  expect(JSON.parse(readFileSync(WORDS, "utf8"))).toEqual(JSON.parse(wordsFile()));
});
