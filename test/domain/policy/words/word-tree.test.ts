import { describe, expect, it } from "vitest";
import { textWord } from "../../../../src/domain/policy/words/text-words.ts";
import { type Reads, WordTree } from "../../../../src/domain/policy/words/word-tree.ts";

/** What is found in a line, as `word from-to`; words are known by what they are. */
function found(line: string, words: readonly string[], reads: Reads = "disguised"): string[] {
  const tree = new WordTree(reads, words);
  return tree
    .wordsOf(line === "" ? [] : line.split(" ").map(textWord))
    .flatMap(({ meanings, counts }, from) =>
      meanings.flatMap(({ all }, index) =>
        all.map((meaning) => `${words[meaning]} ${from}-${from + (counts[index] ?? 0)}`),
      ),
    )
    .toSorted();
}

const once = (all: readonly string[]) => [...new Set(all)];
const slips = (line: string, ...words: string[]) => once(found(line, words, "slips"));

describe("a word", () => {
  it("is found where it stands, with everything that it means", () => {
    expect(found("", ["cat"])).toEqual([]);
    expect(found("the cat sat", ["cat", "sat", "cat dog"])).toEqual(["cat 1-2", "cat dog 1-2", "sat 2-3"]);
    expect(found("ca catt cats", ["cat"], "exactly")).toEqual([]);
  });

  it("that is open is found by its beginning, once for each meaning", () => {
    expect(found("cat catnip ca", ["cat*"])).toEqual(["cat* 0-1", "cat* 1-2"]);
    expect(found("catnip", ["cat* catn*", "catni"])).toEqual(["cat* catn* 0-1"]);
  });

  it("may be stretched, but not where it is read exactly", () => {
    expect(found("caaat", ["cat"])).toEqual(["cat 0-1"]);
    expect(found("caaat", ["cat"], "exactly")).toEqual([]);
    expect(found("c1t", ["cit"], "exactly")).toEqual(["cit 0-1"]);
  });

  it("may end with z for s, and nowhere else", () => {
    for (const reads of ["disguised", "exactly"] as const) {
      expect(found("catz", ["cats"], reads)).toEqual(["cats 0-1"]);
      expect(found("catz", ["cats catz"], reads)).toEqual(["cats catz 0-1"]);
      expect(found("zcat cazt", ["scat", "cast"], reads)).toEqual([]);
    }
    expect(found("catz", ["cat"])).toEqual([]);
  });

  it("may follow an apostrophe", () => {
    expect(found("'cat", ["cat"])).toEqual(["cat 0-1"]);
  });

  it("is of sixty-four letters at most", () => {
    const long = "ab".repeat(32);
    expect(found(long, [long], "exactly")).toHaveLength(1);
    expect(found(`${long}a`, [`${long}a`], "exactly")).toEqual([]);
    expect(found(`${long}a`, ["ab*"], "exactly")).toHaveLength(1);
    const open = `${"ab".repeat(31)}a`;
    expect(found(`${open}bx`, [`${open}*`, `${open}b*`, `${open}bx*`], "exactly")).toHaveLength(2);
  });

  it("is known by a slip of the hand only where that is wanted, and where it means nothing itself", () => {
    expect(found("lmeon", ["lemon"], "slips")).toEqual(["lemon 0-1"]);
    expect(found("lmeon", ["lemon"])).toEqual([]);
    expect(found("lmeon", ["lemon", "lmeon"], "slips")).toEqual(["lmeon 0-1"]);
  });
});

describe("pieces", () => {
  it("of three letters at most make a word", () => {
    expect(once(found("l e m o n", ["lemon"]))).toEqual(["lemon 0-5"]);
    expect(once(found("lem on", ["lemon"]))).toEqual(["lemon 0-2"]);
    expect(found("lemo n", ["lemon"])).toEqual([]);
    expect(found("le lemo mon", ["lemon"])).toEqual([]);
    expect(once(found("a le mon b", ["lemon"]))).toEqual(["lemon 1-3"]);
  });

  it("make what is open as soon as it is there", () => {
    expect(once(found("le mon ade", ["lemon*"]))).toEqual(["lemon* 0-2"]);
    expect(once(found("le mox", ["lemo*"]))).toEqual(["lemo* 0-2"]);
  });

  it("may be stretched where they are one letter", () => {
    expect(once(found("l ee m o n", ["lemon"]))).toEqual(["lemon 0-5"]);
    expect(found("l eem o n", ["lemon"])).toEqual([]);
    expect(found("l e e m o n", ["lemon"])).toEqual([]);
  });

  it("may be a digit for a letter, and end with z for s", () => {
    expect(once(found("l 3 m 0 n", ["lemon"]))).toEqual(["lemon 0-5"]);
    expect(once(found("l e m o n z", ["lemons"]))).toEqual(["lemons 0-6"]);
    expect(once(found("lem onz", ["lemons"]))).toEqual(["lemons 0-2"]);
    expect(found("lez mon", ["lesmon"])).toEqual([]);
    expect(found("caz", ["cas"])).toEqual(["cas 0-1"]);
  });

  it("are none behind an apostrophe", () => {
    expect(found("l 'e m o n", ["lemon"])).toEqual([]);
  });

  it("do not count the signs of Indian vowels", () => {
    expect(once(found("लिड़ि की", ["लिड़िकी"]))).toEqual(["लिड़िकी 0-2"]);
  });
});

describe("longer pieces", () => {
  it("make a word of six letters, two or three of them", () => {
    expect(slips("unde rage", "underage")).toEqual(["underage 0-2"]);
    expect(slips("x unde ra ge", "underage")).toEqual(["underage 1-4"]);
    expect(slips("unde r a ge", "underage")).toEqual([]);
    expect(slips("lemo ns", "lemons")).toEqual(["lemons 0-2"]);
    expect(slips("lemo n", "lemon")).toEqual([]);
    expect(once(found("unde rage", ["underage"]))).toEqual([]);
  });

  it("make what is open, once that is of six letters", () => {
    expect(slips("unde rages", "underage*")).toEqual(["underage* 0-2"]);
    expect(slips("lemo nade", "lemon*")).toEqual([]);
    expect(slips("lemo nade", "lemona*")).toEqual(["lemona* 0-2"]);
  });

  it("are as they stand, and none behind an apostrophe", () => {
    expect(slips("unnde rage", "underage")).toEqual([]);
    expect(slips("unde 'rage", "underage")).toEqual([]);
    expect(slips("unde ragex", "underage")).toEqual([]);
  });
});

describe("a number", () => {
  it("is no part of a longer one", () => {
    expect(found("1 5", ["1", "5"])).toEqual([]);
    expect(found("1 x 5", ["1", "5"])).toEqual(["1 0-1", "5 2-3"]);
    expect(found("1 5", ["15"])).toEqual(["15 0-2"]);
    expect(found("1 5 3", ["15"])).toEqual([]);
    expect(found("十 五 歳", ["五", "十五"])).toEqual(["十五 0-2"]);
    expect(found("5", ["5"])).toEqual(["5 0-1"]);
  });
});

it("tells how long the words are that begin at a letter", () => {
  const tree = new WordTree("slips", ["ab abcd", "abc*", "b"]);
  expect(tree.lengthsAt("abcdab", 0)).toEqual([2, 3, 4]);
  expect(tree.lengthsAt("abcdab", 1)).toEqual([1]);
  expect(tree.lengthsAt("abcdab", 4)).toEqual([2]);
  expect(tree.lengthsAt("abcdab", 2)).toEqual([]);
  const long = "a".repeat(65);
  expect(new WordTree("slips", [long.slice(1), long]).lengthsAt(long, 0)).toEqual([64]);
});
