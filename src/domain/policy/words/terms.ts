import { type Compiled, GAP } from "./compile.ts";
import { bitOf, NOTHING, type Reads, type WordPlace, WordTree } from "./word-tree.ts";
import { work } from "./work.ts";

/** Where a term stands in a line: the first word, and the one behind the last. */
export interface FoundTerm<List> {
  readonly list: List;
  readonly from: number;
  readonly to: number;
}

/** Where phrases go on: what their next words mean, and what the phrases are that end here. */
interface Node<List> {
  readonly arcs: { readonly meaning: number; readonly bit: number; readonly to: Node<List> }[];
  /** {@link bitOf} each meaning that it goes on by. */
  wanted: number;
  readonly ends: List[];
  /** Where phrases begin that have come to the place that is looked at: the first of them. */
  from: number;
  /** What goes on behind a gap. */
  gap?: Node<List>;
}

/** A phrase that has begun: where it has come, and from which place on. */
interface Begun<List> {
  readonly node: Node<List>;
  readonly from: number;
}

/** What a gap may lead to: the place where it begins, and those behind one little word, two and so on. */
interface Gap {
  readonly ends: readonly number[];
  /** The bits of all that is meant there. */
  readonly bits: number;
}

/** How many words a gap may hold. */
const MOST_LITTLE = 3;

const CHARACTER = /^[\p{sc=Han}\p{sc=Hiragana}]/u;

/** Lists of terms to look for in readings of a text. */
export class Terms<List> {
  readonly tree: WordTree;
  /** By meaning: the phrases that begin with it. */
  readonly #phrases: (Node<List> | undefined)[];
  readonly #exact: boolean;

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
    this.#phrases = words.map(() => undefined);
    for (const { meaning, to } of beginning.arcs) this.#phrases[meaning] = to;
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
   * have begun as the lists have, each at most once.
   */
  #lookThrough(line: readonly string[], take: (list: List, from: number, to: number) => unknown): void {
    const places = this.tree.wordsOf(line);
    const begun: (Begun<List>[] | undefined)[] = places.map(() => undefined);
    const gaps: (Gap | undefined)[] = [];
    // Most phrases go on by nothing that stands there.
    const put = (node: Node<List>, from: number, at: number) => {
      work.steps++;
      if (((places[at]?.bits ?? 0) & node.wanted) !== 0) (begun[at] ??= []).push({ node, from });
    };
    const reach = (node: Node<List>, from: number, to: number) => {
      for (const list of node.ends) take(list, from, to);
      if (node.arcs.length > 0) put(node, from, to);
      if (!node.gap) return;
      const { ends, bits } = (gaps[to] ??= gapAt(places, to));
      work.steps++;
      if ((bits & node.gap.wanted) !== 0) for (const at of ends) put(node.gap, from, at);
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
      // Of two that have come to the same the one that begins first will do.
      for (const { node, from } of phrases) node.from = Math.min(node.from, from);
      for (const { node } of phrases) {
        const { from } = node;
        if (from === NOWHERE) continue;
        node.from = NOWHERE;
        for (const { meanings, bits, count } of meant) {
          work.steps++;
          if ((bits & node.wanted) === 0) continue;
          // Most phrases go on by one meaning, and a word may have many.
          for (const { meaning, bit, to } of node.arcs) {
            if ((bits & bit) === 0) continue;
            work.steps++;
            if (meanings.includes(meaning)) reach(to, from, place + count);
          }
        }
      }
      // Behind here nobody looks at it again.
      begun[place] = undefined;
    }
  }
}

function gapAt(places: readonly WordPlace[], from: number): Gap {
  const ends = [from];
  let bits = 0;
  // The places behind no little word, behind one and so on are added behind each other.
  for (let held = 0, first = 0; held <= MOST_LITTLE; held++)
    for (const last = ends.length; first < last; first++) {
      const at = ends[first] ?? from;
      const place = places[at] ?? NOTHING;
      bits |= place.bits;
      if (held === MOST_LITTLE || (place.bits & GAP_BIT) === 0) continue;
      for (const { meanings, count } of place.meant) {
        work.steps++;
        if (meanings.includes(GAP) && !ends.includes(at + count)) ends.push(at + count);
      }
    }
  return { ends, bits };
}

/** In place of where a phrase begins: behind every place. */
const NOWHERE = Infinity;

const GAP_BIT = bitOf(GAP);

const nodeOf = <List>(): Node<List> => ({ arcs: [], wanted: 0, ends: [], from: NOWHERE });

function nextOf<List>(node: Node<List>, meaning: number): Node<List> {
  const known = node.arcs.find((arc) => arc.meaning === meaning);
  if (known) return known.to;
  const arc = { meaning, bit: bitOf(meaning), to: nodeOf<List>() };
  node.arcs.push(arc);
  node.wanted |= arc.bit;
  return arc.to;
}

const gapOf = <List>(node: Node<List>): Node<List> => (node.gap ??= nodeOf());
