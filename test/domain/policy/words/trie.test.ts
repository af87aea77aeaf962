import { expect, it } from "vitest";
import { slipsOf } from "../../../../src/domain/policy/words/near-words.ts";
import { textWord } from "../../../../src/domain/policy/words/text-words.ts";
import { Reached, Trie } from "../../../../src/domain/policy/words/trie.ts";
import { WordTree } from "../../../../src/domain/policy/words/word-tree.ts";
import { work } from "../../../../src/domain/policy/words/work.ts";

const byNumber = (a: number, b: number) => a - b;
const BEGINNING = { nodes: [Trie.ROOT], marks: [0] };

/** The nodes behind others by a letter, each with its mark. */
function step(trie: Trie, from: typeof BEGINNING, letter: string, mayStretch: boolean): typeof BEGINNING {
  const [before, behind] = [new Reached(), new Reached()];
  from.nodes.forEach((node, index) => before.add(node, from.marks[index] ?? 0));
  trie.step(before, letter.charCodeAt(0), mayStretch, behind);
  const { nodes, marks, length } = behind;
  return { nodes: [...nodes.subarray(0, length)], marks: [...marks.subarray(0, length)] };
}

/** Words, each with its index for a meaning. */
function trieOf(...words: readonly string[]): Trie {
  const trie = new Trie();
  words.forEach((word, meaning) => trie.add(word, meaning, false));
  return trie;
}

/** The meanings that the letters of a text lead to. */
function read(trie: Trie, text: string, mayStretch = false): number[] {
  let here = BEGINNING;
  for (const letter of text) here = step(trie, here, letter, mayStretch);
  return here.nodes.flatMap((node) => trie.whole(node)?.all ?? []).toSorted(byNumber);
}

it("keeps what words mean apart that end at a letter from what those mean that go on", () => {
  const trie = trieOf("cat");
  trie.add("cat", 7, true);
  trie.add("cat", 7, true);
  trie.add("cat", 1, false);
  const [node = 0] = Array.from("cat").reduce(
    (from, letter) => step(trie, from, letter, false),
    BEGINNING,
  ).nodes;
  expect(trie.whole(node)?.all).toEqual([0, 1]);
  expect(trie.open(node)?.all).toEqual([7]);
});

it("reads a stroke as i and l, and an asterisk as each vowel", () => {
  const trie = trieOf("pil", "pat", "pet", "pit", "pot", "put", "pxt");
  expect(read(trie, "p11")).toEqual([0]);
  expect(read(trie, "p*t")).toEqual([1, 2, 3, 4, 5]);
  expect(read(trie, "p*1")).toEqual([0]);
});

it("reads letters that are repeated as one, where that is wanted", () => {
  const trie = trieOf("pal", "ppal");
  expect(read(trie, "ppal")).toEqual([1]);
  expect(read(trie, "ppal", true)).toEqual([0, 1]);
  expect(read(trie, "pa1l", true)).toEqual([0]);
});

it("keeps the later of two beginnings that lead to the same letter", () => {
  const trie = trieOf("aa");
  const [first = 0] = step(trie, BEGINNING, "a", false).nodes;
  const from = { nodes: [Trie.ROOT, first], marks: [9, 3] };
  const { nodes, marks } = step(trie, from, "a", true);
  expect(nodes).toHaveLength(2);
  expect(marks).toEqual([9, 3]);
  const again = { nodes: [first, first], marks: [3, 9] };
  expect(step(trie, again, "a", false).marks).toEqual([9]);
});

it("follows so many letters at once, and no more", () => {
  const trie = new Trie();
  const nodes: number[] = [];
  for (let nth = 0; nth < 60; nth++) {
    const beginning = String.fromCharCode(0x4e00 + nth);
    trie.add(`${beginning}a`, nth, false);
    nodes.push(trie.child(Trie.ROOT, beginning.charCodeAt(0)) ?? 0);
  }
  const to = step(trie, { nodes, marks: nodes.map(() => 0) }, "a", false);
  expect(to.nodes).toHaveLength(48);
  expect(to.marks).toHaveLength(48);
});

it("leaves out a Latin letter and no other", () => {
  const trie = trieOf("ab", "a\u007F", "a\u0080", "aб");
  const a = trie.child(Trie.ROOT, 0x61) ?? 0;
  const latin = ["b", "\u007F"].map((letter) => trie.child(a, letter.charCodeAt(0)) ?? 0);
  const before = work.steps;
  expect([...trie.latinChildren(a)].toSorted(byNumber)).toEqual(latin.toSorted(byNumber));
  expect(work.steps).toBe(before + 4);
});

it("knows a word by one slip of the hand, where it is long enough and Latin", () => {
  const trie = trieOf("lemon", "elephant", "fig", "กขคงจ", "a".repeat(25));
  expect(slipsOf("lmeon", trie)?.all).toEqual([0]);
  expect(slipsOf("lemno", trie)?.all).toEqual([0]);
  expect(slipsOf("elemon", trie)).toBeUndefined();
  // The first letter is never another one.
  expect(slipsOf("elmon", trie)).toBeUndefined();
  expect(slipsOf("elephnt", trie)?.all).toEqual([1]);
  expect(slipsOf("elehant", trie)?.all).toEqual([1]);
  expect(slipsOf("elephan", trie)).toBeUndefined();
  expect(slipsOf("lemn", trie)).toBeUndefined();
  // Seven letters are too few for one to be left out.
  expect(slipsOf("letuce", trieOf("lettuce"))).toBeUndefined();
  expect(slipsOf("gif", trie)).toBeUndefined();
  expect(slipsOf("กคขงจ", trie)).toBeUndefined();
  expect(slipsOf("a".repeat(24), trie)).toBeUndefined();
  const long = "abcdefghijklmnopqrstuvwxy";
  expect(slipsOf(`acb${long.slice(3, 24)}`, trieOf(long.slice(0, 24)))?.all).toEqual([0]);
  expect(slipsOf(`acb${long.slice(3)}`, trieOf(long))).toBeUndefined();
  const open = new Trie();
  open.add("lemon", 3, true);
  expect(slipsOf("lmeonade", open)).toBeUndefined();
  expect(slipsOf("lmeon", open)?.all).toEqual([3]);
});

it("remembers what a word means, but nothing that is longer than a word", () => {
  const tree = new WordTree("disguised", ["grape*"]);
  const steps = (word: string) => {
    const before = work.steps;
    tree.wordsOf([textWord(word)]);
    return work.steps - before;
  };
  const word = `grape${"xy".repeat(29)}x`;
  expect(steps(word)).toBeGreaterThan(0);
  expect(steps(word)).toBe(0);
  expect(steps(`${word}y`)).toBeGreaterThan(0);
  expect(steps(`${word}y`)).toBeGreaterThan(0);
  // So many others that it is forgotten.
  for (let nth = 0; nth < 4_001; nth++) textWord(`fruit${nth}`);
  expect(steps(word)).toBeGreaterThan(0);
});
