import { WordTree, type Meant } from "./word-tree.ts";

/** Words that a language's terms may leave open. */
export interface Grammar {
  /** Words of little meaning: `~` stands for up to three of them. */
  readonly little: readonly string[];
  /** Numbers below 18 as words: `#` stands for one, or for digits. */
  readonly numbers: readonly string[];
  /** Whether terms are looked for as they stand, with no letter repeated. */
  readonly exact?: boolean;
}

/** Where a term stands in a line: the first word, and the one behind the last. */
export interface Found<List> {
  readonly list: List;
  readonly from: number;
  readonly to: number;
}

/** A term: what each of its words means, in the order in which they stand. */
interface Phrase<List> {
  readonly list: List;
  readonly slots: readonly number[];
}

/** How many words a gap may hold. */
const MOST_LITTLE = 3;

/** What words at a gap mean. */
const GAP = 0;

/** Ages below 18, as digits. */
const AGES = Array.from({ length: 18 }, (_, age) => age).flatMap((age) =>
  age < 10 ? [`${age}`, `0${age}`] : [`${age}`],
);

/**
 * Lists of terms to look for in readings of a text. A term is one word or several, each with alternatives:
 * `young girl|boy`. `porn*` is every word that begins so; `~` and `#` are as {@link Grammar} says.
 */
export class Terms<List> {
  readonly #tree: WordTree;
  /** By what their first words mean. */
  readonly #phrases = new Map<number, Phrase<List>[]>();
  readonly #exact: boolean;

  constructor(lists: Iterable<readonly [List, readonly string[]]>, grammar: Grammar) {
    this.#exact = grammar.exact ?? false;
    this.#tree = new WordTree(this.#exact);
    const meanings = new Map<string, number>([["~", GAP]]);
    const add = (words: readonly string[], meaning: number) => {
      for (const word of words) this.#tree.add(word, meaning);
    };
    add(grammar.little, GAP);
    const meaningOf = (slot: string): number => {
      const known = meanings.get(slot);
      if (known !== undefined) return known;
      const meaning = meanings.size;
      meanings.set(slot, meaning);
      add(slot === "#" ? [...AGES, ...grammar.numbers] : slot.split("|"), meaning);
      return meaning;
    };
    for (const [list, terms] of lists)
      for (const term of terms) {
        const [first = GAP, ...slots] = term.split(" ").map(meaningOf);
        const alike = this.#phrases.get(first);
        if (alike) alike.push({ list, slots });
        else this.#phrases.set(first, [{ list, slots }]);
      }
  }

  /** Every term in a line. */
  find(line: readonly string[]): Found<List>[] {
    const meant: Meant[][] = [];
    const wordsAt: WordsAt = (place) => (meant[place] ??= this.#tree.at(line, place));
    const found: Found<List>[] = [];
    for (const from of line.keys())
      for (const { meaning, to: behind } of wordsAt(from))
        for (const { list, slots } of this.#phrases.get(meaning) ?? []) {
          // Pieces may be put together as several words: no excuse.
          if (this.#exact && slots.length > 0 && behind > from + 1) continue;
          const to = endOf(slots, behind, wordsAt);
          if (to !== undefined) found.push({ list, from, to });
        }
    return found;
  }
}

/** The words that begin at a place. */
type WordsAt = (place: number) => readonly Meant[];

/** Behind the last word of a phrase that goes on at a place; undefined where it does not. */
function endOf(slots: readonly number[], at: number, wordsAt: WordsAt): number | undefined {
  const [slot, ...rest] = slots;
  if (slot === undefined) return at;
  const ends = slot === GAP ? behindGap(at, wordsAt) : behind(slot, at, wordsAt);
  const last = Math.max(...ends.map((end) => endOf(rest, end, wordsAt) ?? -1));
  return last < 0 ? undefined : last;
}

/** The places behind a word of a meaning. */
const behind = (meaning: number, at: number, wordsAt: WordsAt) =>
  wordsAt(at)
    .filter((word) => word.meaning === meaning)
    .map((word) => word.to);

/** The places behind no little words, and behind each of those that follow. */
function behindGap(at: number, wordsAt: WordsAt): readonly number[] {
  const places = new Set([at]);
  let last: ReadonlySet<number> = places;
  for (let held = 0; held < MOST_LITTLE; held++) {
    last = new Set([...last].flatMap((place) => behind(GAP, place, wordsAt)));
    for (const place of last) places.add(place);
  }
  return [...places];
}
