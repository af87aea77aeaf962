import { Reached, Told, type Trie } from "./trie.ts";

/** What a plural may end with, and what it stands for. */
const Z = 0x7a;
export const S = 0x73;

/** How far a word is read: none of a list is nearly as long. */
export const LONGEST_WORD = 64;

/** Goes on from nodes of a trie by letters. */
export class Follower {
  readonly #trie: Trie;
  /** The nodes behind two letters, in turns. */
  readonly #one = new Reached();
  readonly #other = new Reached();
  /** What the words mean that are there on the way, with what the nodes came with: until others are followed. */
  readonly told = new Told();

  constructor(trie: Trie) {
    this.#trie = trie;
  }

  /** @returns the nodes behind the letters: until others are followed */
  follow(from: Reached, letters: string, mayStretch: boolean): Reached {
    const trie = this.#trie;
    const { told } = this;
    told.length = 0;
    let here = from;
    for (let index = 0; index < letters.length && index < LONGEST_WORD && here.length > 0; index++) {
      const letter = letters.charCodeAt(index);
      const isLast = index === letters.length - 1;
      const behind = here === this.#one ? this.#other : this.#one;
      // A plural may end so.
      if (isLast && letter === Z) {
        trie.step(here, S, mayStretch, behind);
        trie.tellWhole(behind, told);
      }
      trie.step(here, letter, mayStretch, behind);
      trie.tellOpen(behind, told);
      if (isLast) trie.tellWhole(behind, told);
      here = behind;
    }
    return here;
  }
}
