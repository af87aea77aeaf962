import { type Compiled, GAP } from "./compile.ts";
import { bitOf, type Meant, type Reads, WordTree } from "./word-tree.ts";
import { work } from "./work.ts";

/** Where a term stands in a line: the first word, and the one behind the last. */
export interface FoundTerm<List> {
  readonly list: List;
  readonly from: number;
  readonly to: number;
}

/** Where phrases go on: what their next words mean, and what the phrases are that end here. */
interface Node<List> {
  readonly next: Map<number, Node<List>>;
  /** {@link bitOf} each meaning that it goes on by. */
  wanted: number;
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
  /** By meaning: the phrases that begin with it. */
  readonly #phrases: readonly (Node<List> | undefined)[];
  readonly #exact: boolean;
  /** Counts the places that were looked at. */
  #turn = 0;

  constructor({ words, phrases }: Compiled<List>, reads: Reads) {
    this.#exact = reads === "exactly";
    this.tree = new WordTree(reads, words);
    const beginning = nodeOf<List>();
    for (const [list, terms] of phrases)
      for (const term of terms) {
        let node = beginning;
        for (const meaning of term) node = meaning === GAP ? gapOf(node) : nextOf(node, meaning);
        if (!node.ends.includes(list)) node.ends.push(list);
      }
    this.#phrases = words.map((_, meaning) => beginning.next.get(meaning));
  }

  /**
   * Every term in a line. The line is gone through once; at each place there are at most as many phrases that have
   * begun as the lists have, each at most once for each word that its gap may hold.
   */
  find(line: readonly string[]): FoundTerm<List>[] {
    const words = this.tree.wordsOf(line);
    if (words.every((meant) => meant.length === 0)) return [];
    const bits = words.map(bitsOf);
    const found: FoundTerm<List>[] = [];
    const begun: (Begun<List>[] | undefined)[] = words.map(() => undefined);
    // Most phrases go on by nothing that stands there.
    const put = (node: Node<List>, wanted: number, from: number, held: number, at: number) => {
      if (((bits[at] ?? 0) & wanted) !== 0) (begun[at] ??= []).push({ node, from, held });
    };
    const reach = (node: Node<List>, from: number, to: number) => {
      for (const list of node.ends) found.push({ list, from, to });
      put(node, node.wanted, from, NO_GAP, to);
      if (node.gap) put(node.gap, node.gap.wanted | GAP_BIT, from, 0, to);
    };
    for (let place = 0; place < words.length; place++) {
      const meant = words[place];
      if (!meant || meant.length === 0) continue;
      for (const { meanings, count } of meant)
        for (const meaning of meanings) {
          const node = this.#phrases[meaning];
          if (!node) continue;
          // Pieces may be put together as several words: no excuse, but for scripts that have nothing else.
          if (this.#exact && count > 1 && !CHARACTER.test(line[place] ?? ""))
            for (const list of node.ends) found.push({ list, from: place, to: place + count });
          else reach(node, place, place + count);
        }
      const phrases = begun[place];
      if (!phrases) continue;
      this.#turn++;
      for (const { node, from, held } of phrases) {
        // Of two that have come to the same the first will do.
        if (node.turns[held - NO_GAP] === this.#turn) continue;
        node.turns[held - NO_GAP] = this.#turn;
        for (const { meanings, count } of meant)
          for (const meaning of meanings) {
            work.steps++;
            const next = node.next.get(meaning);
            if (next) reach(next, from, place + count);
            if (meaning === GAP && held >= 0 && held < MOST_LITTLE)
              put(node, node.wanted | GAP_BIT, from, held + 1, place + count);
          }
      }
      // Behind here nobody looks at it again.
      begun[place] = undefined;
    }
    return found;
  }
}

const GAP_BIT = bitOf(GAP);

/** The bits of all that is meant at a place. */
function bitsOf(meant: readonly Meant[]): number {
  let bits = 0;
  for (const one of meant) bits |= one.bits;
  return bits;
}

const nodeOf = <List>(): Node<List> => ({ next: new Map(), wanted: 0, ends: [], turns: [] });

function nextOf<List>(node: Node<List>, meaning: number): Node<List> {
  const known = node.next.get(meaning);
  if (known) return known;
  const made = nodeOf<List>();
  node.next.set(meaning, made);
  node.wanted |= bitOf(meaning);
  return made;
}

const gapOf = <List>(node: Node<List>): Node<List> => (node.gap ??= nodeOf());
