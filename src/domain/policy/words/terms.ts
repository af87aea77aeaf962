import { type Compiled, GAP } from "./compile.ts";
import type { Meanings } from "./meanings.ts";
import { Beginning, GAP_BIT, NOWHERE, PhraseNode } from "./phrases.ts";
import type { TextWord } from "./text-words.ts";
import { NOTHING, type WordPlace } from "./word-places.ts";
import { type Reads, WordTree } from "./word-tree.ts";
import { work } from "./work.ts";

/** Where a term stands in a line: the first word, and the one behind the last. */
export interface FoundTerm<List> {
  readonly list: List;
  readonly from: number;
  readonly to: number;
}

/** Takes down a term of a list, by the list's index. */
type Take = (list: number, from: number, to: number) => void;

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
  readonly #lists: readonly List[];
  /** By meaning: the phrases that begin with it. */
  readonly #phrases: (PhraseNode | undefined)[] = [];
  readonly #exact: boolean;
  /** The line that is looked through, and by place what a gap leads to from there, as far as it was asked for. */
  #places: readonly WordPlace[] = [];
  readonly #gaps = new Map<number, Gap>();
  /** Phrases that have begun: where each has come, from which place on, and which came to the same place before. */
  readonly #nodes: PhraseNode[] = [];
  readonly #froms: number[] = [];
  readonly #before: number[] = [];
  #begun = 0;
  /** By place: which came there last. */
  #last = new Int32Array(0);

  constructor({ words, phrases }: Compiled<List>, reads: Reads) {
    this.#exact = reads === "exactly";
    this.tree = new WordTree(reads, words);
    this.#lists = phrases.map(([list]) => list);
    const beginning = new PhraseNode();
    for (const [list, [, terms]] of phrases.entries())
      for (const term of terms) {
        const { ends } = term.reduce((node, meaning) => node.grow(meaning), beginning);
        if (!ends.includes(list)) ends.push(list);
      }
    for (const { meaning, to } of beginning.next) this.#phrases[meaning] = to;
  }

  /** Every term in a line. */
  find(line: readonly TextWord[]): FoundTerm<List>[] {
    const found: FoundTerm<List>[] = [];
    this.#lookThrough(line, (index, from, to) => {
      const list = this.#lists[index];
      if (list !== undefined) found.push({ list, from, to });
    });
    return found;
  }

  /** The lists of which there is a term in some line. */
  listsIn(lines: readonly (readonly TextWord[])[]): ReadonlySet<List> {
    const found = this.#lists.map(() => false);
    for (const line of lines)
      this.#lookThrough(line, (index) => {
        found[index] = true;
      });
    return new Set(this.#lists.filter((_, index) => found[index]));
  }

  /**
   * Takes down every term in a line. The line is gone through once; at each place there are at most as many phrases that
   * have begun as the lists have, each at most once.
   */
  #lookThrough(line: readonly TextWord[], take: Take): void {
    const places = (this.#places = this.tree.wordsOf(line));
    this.#gaps.clear();
    this.#begun = 0;
    if (this.#last.length <= places.length) this.#last = new Int32Array(2 * places.length + 1);
    this.#last.fill(NONE, 0, places.length + 1);
    for (let place = 0; place < places.length; place++) {
      const { meanings, counts } = places[place] ?? NOTHING;
      if (meanings.length === 0) continue;
      for (let index = 0; index < meanings.length; index++) {
        const { ends, nodes, wanted } = this.#beginningWith(meanings[index]);
        const to = place + (counts[index] ?? 1);
        for (const list of ends) take(list, place, to);
        if (((places[to]?.bits ?? 0) & wanted) === 0) continue;
        // Pieces may be put together as several words: no excuse, but for scripts that have nothing else.
        if (this.#exact && to > place + 1 && !CHARACTER.test(line[place]?.letters ?? "")) continue;
        for (const node of nodes) this.#goOn(node, place, to);
      }
      if (this.#last[place] !== NONE) this.#goOnFrom(place, take);
    }
  }

  /** Goes on with the phrases that have come to a place. */
  #goOnFrom(place: number, take: Take): void {
    const { meanings, counts } = this.#places[place] ?? NOTHING;
    const last = this.#last[place] ?? NONE;
    // Of those that have come to the same the one that begins first will do.
    for (let index = last; index !== NONE; index = this.#before[index] ?? NONE) {
      const node = this.#nodes[index];
      if (node) node.from = Math.min(node.from, this.#froms[index] ?? 0);
    }
    for (let index = last; index !== NONE; index = this.#before[index] ?? NONE) {
      const node = this.#nodes[index];
      if (!node || node.from === NOWHERE) continue;
      const { from } = node;
      node.from = NOWHERE;
      for (let nth = 0; nth < meanings.length; nth++) {
        const means = meanings[nth];
        work.steps++;
        if (!means || (means.bits & node.wanted) === 0) continue;
        // Most phrases go on by one meaning, and a word may have many.
        for (const { meaning, bit, to } of node.next) {
          if ((means.bits & bit) === 0) continue;
          work.steps++;
          if (!means.all.includes(meaning)) continue;
          const behind = place + (counts[nth] ?? 1);
          for (const list of to.ends) take(list, from, behind);
          this.#goOn(to, from, behind);
        }
      }
    }
  }

  /** Goes on with a phrase at a place, and behind a gap. */
  #goOn(node: PhraseNode, from: number, at: number): void {
    this.#put(node, from, at);
    const { gap } = node;
    if (!gap) return;
    const { ends, bits } = this.#gapAt(at);
    work.steps++;
    if ((bits & gap.wanted) !== 0) for (const end of ends) this.#put(gap, from, end);
  }

  #gapAt(place: number): Gap {
    const known = this.#gaps.get(place);
    if (known) return known;
    const gap = gapAt(this.#places, place);
    this.#gaps.set(place, gap);
    return gap;
  }

  /** Has a phrase come to a place, unless nothing stands there that it goes on by: so it is with most. */
  #put(node: PhraseNode, from: number, at: number): void {
    work.steps++;
    if (((this.#places[at]?.bits ?? 0) & node.wanted) === 0) return;
    const index = this.#begun++;
    this.#nodes[index] = node;
    this.#froms[index] = from;
    this.#before[index] = this.#last[at] ?? NONE;
    this.#last[at] = index;
  }

  #beginningWith(meanings: Meanings | undefined): Beginning {
    return meanings ? (meanings.beginning ??= this.#beginningOf(meanings)) : NO_PHRASES;
  }

  #beginningOf({ all }: Meanings): Beginning {
    const beginning = new Beginning();
    for (const meaning of all) {
      const node = this.#phrases[meaning];
      if (node) beginning.add(node);
    }
    return beginning;
  }
}

/** In place of what came to a place before. */
const NONE = -1;

const NO_PHRASES = new Beginning();

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
      for (const [index, { all }] of place.meanings.entries()) {
        work.steps++;
        const to = at + (place.counts[index] ?? 1);
        if (all.includes(GAP) && !ends.includes(to)) ends.push(to);
      }
    }
  return { ends, bits };
}
