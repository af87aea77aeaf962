import { describe, expect, it } from "vitest";
import { compile } from "../../../../src/domain/policy/words/compile.ts";
import { fold } from "../../../../src/domain/policy/words/fold.ts";
import { partsOf } from "../../../../src/domain/policy/words/joined-words.ts";
import { Terms } from "../../../../src/domain/policy/words/terms.ts";
import { textWord } from "../../../../src/domain/policy/words/text-words.ts";
import { type Reads, WordTree } from "../../../../src/domain/policy/words/word-tree.ts";
import { work } from "../../../../src/domain/policy/words/work.ts";

const GRAMMAR = { little: ["all", "the", "her"], numbers: ["ten"] };

/** What is found in a line, as `list from-to`. */
function found(line: string, lists: Readonly<Record<string, readonly string[]>>, reads: Reads = "disguised") {
  const terms = new Terms(compile(Object.entries(lists), GRAMMAR), reads);
  return terms.find(line.split(" ").map(textWord)).map(({ list, from, to }) => `${list} ${from}-${to}`);
}

describe("a term", () => {
  it("is found by its words, one behind the other", () => {
    const lists = { a: ["red ball"], b: ["ball", "red"] };
    expect(found("a red ball", lists)).toEqual(["b 1-2", "b 2-3", "a 1-3"]);
    expect(found("red a ball red", lists)).toEqual(["b 0-1", "b 2-3", "b 3-4"]);
    expect(found("red", { a: ["red ball"] })).toEqual([]);
    expect(found("red the ball", { a: ["red ball"] })).toEqual([]);
  });

  it("may have several words in a place, and be of several lists", () => {
    const lists = { a: ["red|blue ball"], b: ["blue ball|box", "blue ball"] };
    expect(found("red ball", lists)).toEqual(["a 0-2"]);
    expect(found("blue ball", lists).toSorted()).toEqual(["a 0-2", "b 0-2", "b 0-2"]);
    expect(found("blue box", lists)).toEqual(["b 0-2"]);
  });

  it("may have three little words in a gap, one, or none", () => {
    const lists = { a: ["take ~ coat"] };
    expect(found("take coat", lists)).toEqual(["a 0-2"]);
    expect(found("take her coat", lists)).toEqual(["a 0-3"]);
    expect(found("take all the her coat", lists)).toEqual(["a 0-5"]);
    expect(found("take all the her the coat", lists)).toEqual([]);
    expect(found("take a coat", lists)).toEqual([]);
    expect(found("take all a coat", lists)).toEqual([]);
  });

  it("may have several gaps, each for itself, and little words of its own", () => {
    const lists = { a: ["take ~ coat ~ off"] };
    expect(found("take all the her coat all the her off", lists)).toEqual(["a 0-9"]);
    expect(found("take all the her coat all the her all off", lists)).toEqual([]);
    expect(found("take the her off", { a: ["take ~ the her"], b: ["take ~ off"] }).toSorted()).toEqual([
      "a 0-3",
      "b 0-4",
    ]);
  });

  it("begins anew wherever its first word stands", () => {
    expect(found("take take coat take the coat", { a: ["take ~ coat"] })).toEqual(["a 1-3", "a 3-6"]);
  });

  it("stands for numbers below eighteen, in digits and words", () => {
    const lists = { a: ["# years"] };
    for (const number of ["0", "07", "7", "17", "ten"])
      expect(found(`${number} years`, lists)).toEqual(["a 0-2"]);
    for (const number of ["18", "010", "017", "eighteen"])
      expect(found(`${number} years`, lists)).toEqual([]);
  });

  it("is found by pieces, but read exactly only as one word", () => {
    const lists = { a: ["lemon", "lemon tree"] };
    expect(new Set(found("le mon", lists))).toEqual(new Set(["a 0-2"]));
    expect(found("le mon tree", lists)).toContain("a 0-3");
    expect(found("l e m o n tree", { a: ["lemon tree"] })).toEqual(["a 0-6"]);
    expect(found("le mon tree", lists, "exactly")).not.toContain("a 0-3");
    expect(found("lemon tree", lists, "exactly")).toEqual(["a 0-1", "a 0-2"]);
    expect(found("裸 足 で", { a: ["裸足 で"] }, "exactly")).toContain("a 0-3");
  });

  it("goes on from a word with many meanings, and from one of few", () => {
    const many = Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [`l${index}`, [`red ball|x${"abcdef".charAt(index)}`]]),
    );
    expect(found("red ball", many).toSorted()).toEqual(Object.keys(many).map((name) => `${name} 0-2`));
    expect(found("red xd", many)).toEqual(["l3 0-2"]);
    expect(found("red box", many)).toEqual([]);
  });

  it("takes a step for each way to go on, where its words are known already", () => {
    for (const [list, line] of [
      [["red ball"], "red ball"],
      [["red ball", "red box", "red hat", "red bag"], "red ball"],
    ] as const) {
      const terms = new Terms(compile([["a", list]], GRAMMAR), "exactly");
      // What is met a few times is learned.
      for (let time = 0; time < 4; time++) terms.find(line.split(" ").map(textWord));
      const before = work.steps;
      terms.find(line.split(" ").map(textWord));
      const steps = work.steps - before;
      terms.tree.wordsOf(line.split(" ").map(textWord));
      expect(steps).toBeGreaterThan(work.steps - before - steps);
    }
  });

  it("is compiled with one meaning for each word, whatever Arabic writes before it", () => {
    expect(
      compile(
        [
          ["a", ["red ball"]],
          ["b", ["red", "ball red"]],
        ],
        GRAMMAR,
      ).words,
    ).toHaveLength(3);
    for (const word of ["كلب", "الكلب", "وكلب", "والكلب", "بالكلب", "للكلب", "لكلب", "بكلب"])
      expect(found(fold(word), { a: ["كلب"] })).toEqual(["a 0-1"]);
  });
});

/** The words that one is made of, if there are several. */
function partsIn(word: string, tree: WordTree): string {
  const parts = partsOf(word, tree);
  return parts.length > 1 ? parts.join(" ") : "";
}

describe("a joined word", () => {
  const tree = new WordTree("slips", ["make kind kinder nackt tree house abcd bcde", "her sex the", "porn*"]);
  const parts = (word: string) => partsIn(word, tree);

  it("is parted where it is made of known words alone, as few as can be", () => {
    expect(parts("makeherhouse")).toBe("make her house");
    expect(parts("nacktkind")).toBe("nackt kind");
    expect(parts("nacktkinder")).toBe("nackt kinder");
    expect(parts("makexhouse")).toBe("");
    expect(parts("makehous")).toBe("");
    expect(partsOf("kinder", tree)).toEqual(["kinder"]);
    expect(partsOf("kindly", tree)).toEqual(["kindly"]);
  });

  it("may have links between its words, but none at its end", () => {
    for (const link of ["", "s", "n", "r", "y", "e", "en", "er", "ey", "es"])
      expect(parts(`tree${link}house`)).toBe("tree house");
    expect(parts("treexhouse")).toBe("");
    expect(parts("treehouses")).toBe("");
    expect(parts("treehousekindern")).toBe("");
  });

  it("has rather a link than one more word, and rather none than a link", () => {
    expect(parts("kinderhouse")).toBe("kinder house");
    const other = new WordTree("slips", ["abcd", "efghijklmn", "abcdsef", "ghij", "klmn"]);
    expect(partsOf("abcdsefghijklmn", other)).toEqual(["abcd", "efghijklmn"]);
  });

  it("takes a step for each way to go on", () => {
    const before = work.steps;
    partsOf("treetree", { lengthsAt: () => [4] } as unknown as WordTree);
    expect(work.steps).toBeGreaterThan(before);
  });

  it("has words of four letters, or short ones that are known for it", () => {
    expect(parts("treesex")).toBe("tree sex");
    expect(parts("hersex")).toBe("her sex");
    const short = new WordTree("slips", ["tree", "big"]);
    expect(partsIn("treebig", short)).toBe("");
  });

  it("is no single word, and none that is too short, too long, or has signs and digits in it", () => {
    expect(parts("kinder")).toBe("");
    expect(partsIn("tothe", new WordTree("slips", ["the to"]))).toBe("");
    const long = "tree".repeat(128);
    expect(partsOf(long, tree)).toHaveLength(128);
    expect(parts(`${long}tree`)).toBe("");
    for (const sign of ["1", "'", "*"]) {
      const signed = new WordTree("slips", ["make", `tr${sign}ee`]);
      expect(partsIn(`maketr${sign}ee`, signed)).toBe("");
    }
  });
});
