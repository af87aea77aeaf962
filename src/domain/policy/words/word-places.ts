import type { Meanings } from "./meanings.ts";
import type { WordPiece } from "./pieces.ts";

/** The words that begin at a place: what each means, by the same index of how many of the line it is made. */
export interface WordPlace {
  readonly meanings: readonly Meanings[];
  readonly counts: readonly number[];
  /** The bits of all meanings. */
  readonly bits: number;
}

export const NOTHING: WordPlace = { meanings: [], counts: [], bits: 0 };

/** A place where words begin that are put together of pieces. */
export class PiecedPlace implements WordPlace {
  readonly meanings: Meanings[];
  readonly counts: number[];
  bits: number;

  constructor(before: WordPlace, meanings: Meanings, count: number) {
    this.meanings = [...before.meanings, meanings];
    this.counts = [...before.counts, count];
    this.bits = before.bits | meanings.bits;
  }

  add(meanings: Meanings, count: number): void {
    this.meanings.push(meanings);
    this.counts.push(count);
    this.bits |= meanings.bits;
  }
}

/** What is known of a word by itself, wherever it stands. */
export interface KnownWord {
  /** What it means as a whole. */
  readonly alone: WordPlace;
  /** Where it may be a piece of a word. */
  readonly piece: WordPiece | undefined;
  /** The node that it leads to as it stands, where longer pieces may make a word. */
  readonly node: number | undefined;
  readonly isDigit: boolean;
}

/** Where a word begins that is one of the line. */
export const placeOf = (meanings: Meanings): WordPlace => ({
  meanings: [meanings],
  counts: [1],
  bits: meanings.bits,
});
