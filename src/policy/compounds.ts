import { WordTree } from "./word-tree.ts";

/** What may stand between two words that are one, as German makes them. */
const LINKS = ["", "s", "n", "r", "y", "e", "en", "er", "ey", "es"];

/**
 * Words that are made of others, at least one of each of two kinds: as German makes them, and hashtags do.
 */
export class Compounds {
  readonly #tree = new WordTree();

  /** Of terms, those that are one word are taken. */
  constructor(...kinds: [first: readonly string[], second: readonly string[]]) {
    for (const [kind, terms] of kinds.entries())
      for (const term of terms.filter((one) => !/[ ~#]/.test(one)))
        for (const word of term.split("|")) this.#tree.add(word, 1 << kind);
  }

  /** Whether a word is one of them. */
  has(word: string): boolean {
    // By letter: the kinds that the words before it may be of, each set of kinds a number.
    const before: Set<number>[] = [new Set([0])];
    for (let at = 0; at < word.length; at++) {
      const kinds = before[at];
      if (!kinds) continue;
      for (const { meaning, to } of this.#tree.within(word, at))
        for (const link of to < word.length ? LINKS : [""]) {
          if (!word.startsWith(link, to)) continue;
          const reached = (before[to + link.length] ??= new Set());
          for (const kind of kinds) reached.add(kind | meaning);
        }
    }
    return before[word.length]?.has(0b11) ?? false;
  }
}
