import { type Compiled, GAP } from "./compile.ts";
import { type Meant, type Reads, WordTree } from "./word-tree.ts";
import { work } from "./work.ts";

/** Where a term stands in a line: the first word, and the one behind the last. */
export interface FoundTerm<List> {
  readonly list: List;
  readonly from: number;
  readonly to: number;
}

/** Where phrases go on: what their next words mean, and what the phrases are that end here. */
interface Node<List> {
  /** The meanings that it goes on by; the same as the keys of `next`. */
  readonly wanted: number[];
  readonly next: Map<number, Node<List>>;
  readonly ends: List[];
  /** By how many words its gap holds: when it was gone on from last. */
  readonly turns: number[];
  /** What goes on behind a gap. */
  gap?: Node<List>;
}

/** A phrase that has begun: where it has come, from which place on, and how many little words the gap holds. */
interface Begun<List> {
  readonly node: Node<List>;
  readonly from: number;
  readonly held: number;
}

/** How many words a gap may hold. */
const MOST_LITTLE = 3;

const CHARACTER = /^[\p{sc=Han}\p{sc=Hiragana}]/u;

/** What stands between the gaps of phrases. */
const NO_GAP = -1;

/** Lists of terms to look for in readings of a text. */
export class Terms<List> {
  readonly tree: WordTree;
  readonly #phrases: Node<List> = nodeOf();
  readonly #exact: boolean;
  /** Counts the places that were looked at. */
  #turn = 0;
  /** By meaning: the last place where something means it. */
  readonly #meantIn: number[];

  constructor({ words, phrases }: Compiled<List>, reads: Reads) {
    this.#exact = reads === "exactly";
    this.tree = new WordTree(reads, words);
    this.#meantIn = words.map(() => 0);
    for (const [list, terms] of phrases)
      for (const term of terms) {
        let node = this.#phrases;
        for (const meaning of term) node = meaning === GAP ? gapOf(node) : nextOf(node, meaning);
        if (!node.ends.includes(list)) node.ends.push(list);
      }
  }

  /**
   * Every term in a line. The line is gone through once; at each place there are at most as many phrases that have
   * begun as the lists have, each at most once for each word that its gap may hold.
   */
  find(line: readonly string[]): FoundTerm<List>[] {
    const words = this.tree.wordsOf(line);
    const found: FoundTerm<List>[] = [];
    const begun: (Begun<List>[] | undefined)[] = [];
    const put = (node: Node<List>, from: number, held: number, at: number) => {
      const phrases = begun[at];
      if (phrases) phrases.push({ node, from, held });
      else begun[at] = [{ node, from, held }];
    };
    const reach = (node: Node<List>, from: number, to: number) => {
      for (const list of node.ends) found.push({ list, from, to });
      if (node.wanted.length > 0) put(node, from, NO_GAP, to);
      if (node.gap) put(node.gap, from, 0, to);
    };
    for (let place = 0; place < words.length; place++) {
      const meant = words[place];
      if (!meant) continue;
      for (const { meaning, to } of meant) {
        const node = this.#phrases.next.get(meaning);
        if (!node) continue;
        // Pieces may be put together as several words: no excuse, but for scripts that have nothing else.
        if (this.#exact && to > place + 1 && !CHARACTER.test(line[place] ?? ""))
          for (const list of node.ends) found.push({ list, from: place, to });
        else reach(node, place, to);
      }
      const phrases = begun[place];
      if (!phrases) continue;
      this.#turn++;
      for (const { meaning } of meant) this.#meantIn[meaning] = this.#turn;
      const little = meant.filter(({ meaning }) => meaning === GAP);
      for (const { node, from, held } of phrases) {
        // Of two that have come to the same the first will do.
        if (node.turns[held - NO_GAP] === this.#turn) continue;
        node.turns[held - NO_GAP] = this.#turn;
        if (this.#goesOn(node, meant))
          for (const { meaning, to } of meant) {
            const next = node.next.get(meaning);
            if (next) reach(next, from, to);
          }
        if (held >= 0 && held < MOST_LITTLE) for (const { to } of little) put(node, from, held + 1, to);
      }
      // Behind here nobody looks at it again.
      begun[place] = undefined;
    }
    return found;
  }

  /** Whether any of what is meant at this place goes on from a node: most often none does. */
  #goesOn({ wanted, next }: Node<List>, meant: readonly Meant[]): boolean {
    if (wanted.length > meant.length) {
      work.steps += meant.length;
      return meant.some(({ meaning }) => next.has(meaning));
    }
    work.steps += wanted.length;
    for (let index = 0; index < wanted.length; index++)
      if (this.#meantIn[wanted[index] ?? GAP] === this.#turn) return true;
    return false;
  }
}

const nodeOf = <List>(): Node<List> => ({ wanted: [], next: new Map(), ends: [], turns: [] });

function nextOf<List>(node: Node<List>, meaning: number): Node<List> {
  const known = node.next.get(meaning);
  if (known) return known;
  const made = nodeOf<List>();
  node.next.set(meaning, made);
  node.wanted.push(meaning);
  return made;
}

const gapOf = <List>(node: Node<List>): Node<List> => (node.gap ??= nodeOf());
