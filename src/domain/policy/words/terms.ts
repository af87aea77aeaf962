import { type Compiled, GAP } from "./compile.ts";
import { bitOf, NOTHING, type Reads, WordTree } from "./word-tree.ts";
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

  /** Every term in a line. */
  find(line: readonly string[]): FoundTerm<List>[] {
    const found: FoundTerm<List>[] = [];
    this.#lookThrough(line, (list, from, to) => found.push({ list, from, to }));
    return found;
  }

  /** The lists of which there is a term in some line. */
  listsIn(lines: readonly (readonly string[])[]): ReadonlySet<List> {
    const lists = new Set<List>();
    for (const line of lines) this.#lookThrough(line, (list) => lists.add(list));
    return lists;
  }

  /**
   * Takes down every term in a line. The line is gone through once; at each place there are at most as many phrases that
   * have begun as the lists have, each at most once for each word that its gap may hold.
   */
  #lookThrough(line: readonly string[], take: (list: List, from: number, to: number) => unknown): void {
    const places = this.tree.wordsOf(line);
    const begun: (Begun<List>[] | undefined)[] = places.map(() => undefined);
    // Most phrases go on by nothing that stands there.
    const put = (node: Node<List>, wanted: number, from: number, held: number, at: number) => {
      if (((places[at]?.bits ?? 0) & wanted) !== 0) (begun[at] ??= []).push({ node, from, held });
    };
    const reach = (node: Node<List>, from: number, to: number) => {
      for (const list of node.ends) take(list, from, to);
      put(node, node.wanted, from, NO_GAP, to);
      if (node.gap) put(node.gap, node.gap.wanted | GAP_BIT, from, 0, to);
    };
    for (let place = 0; place < places.length; place++) {
      const { meant } = places[place] ?? NOTHING;
      if (meant.length === 0) continue;
      for (const { meanings, count } of meant)
        for (const meaning of meanings) {
          const node = this.#phrases[meaning];
          if (!node) continue;
          // Pieces may be put together as several words: no excuse, but for scripts that have nothing else.
          if (this.#exact && count > 1 && !CHARACTER.test(line[place] ?? ""))
            for (const list of node.ends) take(list, place, place + count);
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
  }
}

const GAP_BIT = bitOf(GAP);

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
