import * as fc from "fast-check";
import { expect, it } from "vitest";
import { textWord } from "../../../../src/domain/policy/words/text-words.ts";
import { WordTree } from "../../../../src/domain/policy/words/word-tree.ts";
import { work } from "../../../../src/domain/policy/words/work.ts";

const WORDS = ["il", "ill lil", "li*", "oil", "lemon", "a", "裸足", "sos", "il1a*", "aa", "ala"];

/** Each meaning with its places, and each only once: by how many ways a word is there says nothing. */
function foundBy(tree: WordTree, line: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [from, { meanings, counts }] of tree.wordsOf(line.map(textWord)).entries())
    for (const [index, { all }] of meanings.entries())
      for (const meaning of all) found.add(`${meaning} ${from}-${from + (counts[index] ?? 0)}`);
  return found;
}

const stepsOf = (tree: WordTree, line: readonly string[]) => {
  const words = line.map(textWord);
  const before = work.steps;
  tree.wordsOf(words);
  return work.steps - before;
};

const piece = fc.constantFrom(
  "1",
  "11",
  "*",
  "*1",
  "i",
  "l",
  "ll",
  "a",
  "z",
  "0",
  "5",
  "裸",
  "足足",
  "'s",
  "lem",
  "0n",
);
const line = fc.array(piece, { minLength: 1, maxLength: 60 });

it("puts the same together however much it has learned", () => {
  for (const reads of ["exactly", "disguised", "slips"] as const) {
    const learned = new WordTree(reads, WORDS);
    fc.assert(
      fc.property(line, (pieces) => {
        const first = foundBy(new WordTree(reads, WORDS), pieces);
        for (let time = 0; time < 6; time++) expect(foundBy(learned, pieces)).toEqual(first);
      }),
      { numRuns: 150 },
    );
  }
});

it("goes a step by each piece of a line that it has learned, however many words have begun", () => {
  const tree = new WordTree("disguised", WORDS);
  const pieces = Array.from({ length: 100 }, () => ["11", "*1", "1"]).flat();
  const first = stepsOf(tree, pieces);
  for (let time = 0; time < 10; time++) tree.wordsOf(pieces.map(textWord));
  expect(stepsOf(tree, pieces)).toBe(pieces.length);
  expect(first).toBeGreaterThan(pieces.length);
});

it("learns only so much in a line, and goes through the rest node by node", () => {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const pairs = Array.from(letters).flatMap((one) => Array.from(letters, (other) => one + other));
  const tree = new WordTree("exactly", pairs);
  const pieces = pairs.flatMap((pair) => Array.from(pair));
  const first = stepsOf(tree, pieces);
  // By the second time it knows little of it: to learn it all would cost more than to go through it.
  expect(stepsOf(tree, pieces)).toBeGreaterThan(first / 2);
  for (let time = 0; time < 80; time++) tree.wordsOf(pieces.map(textWord));
  expect(stepsOf(tree, pieces)).toBe(pieces.length);
});

it("forgets what it has learned when that is much", () => {
  const characters = Array.from({ length: 120 }, (_, nth) => String.fromCodePoint(0x4e00 + nth));
  const tree = new WordTree(
    "exactly",
    characters.flatMap((one) => characters.map((other) => one + other)),
  );
  const known = characters.slice(0, 2).flatMap((one) => [one, characters[7] ?? "", "."]);
  for (let time = 0; time < 5; time++) tree.wordsOf(known.map(textWord));
  expect(stepsOf(tree, known)).toBe(known.length);
  for (const one of characters)
    for (let from = 0; from < characters.length; from += 30)
      for (let time = 0; time < 2; time++)
        tree.wordsOf(characters.slice(from, from + 30).flatMap((other) => [one, other, "."].map(textWord)));
  expect(stepsOf(tree, known)).toBeGreaterThan(known.length);
});
