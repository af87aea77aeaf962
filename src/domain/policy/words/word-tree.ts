import { slipsOf } from "./near-words.ts";
import { AS_LETTER } from "./readings.ts";
import { type Reached, Trie } from "./trie.ts";

/** A word that was found: what it means, and the place behind it. */
export interface Meant {
  readonly meaning: number;
  readonly to: number;
}

/** A word by itself. */
interface Word {
  readonly letters: string;
  readonly meanings: readonly number[];
  /** The nodes that it leads to from the root, where it may be a piece of a word. */
  readonly begins: number[] | undefined;
  /** The node that it leads to as it stands. */
  readonly node: number | undefined;
}

/**
 * How words are read: as they stand; in every disguise, with letters that are repeated and in short pieces; or with
 * slips of the hand as well, and in pieces of any length.
 */
export type Reads = "exactly" | "disguised" | "slips";

/** How long a piece may be that is read with its signs and stretches; longer ones are read as they stand. */
const SHORT_PIECE = 3;

/** How many pieces of any length may make a word, and how long that must be. */
const MOST_PIECES = 3;
const LEAST_PIECED = 6;

/** How many words are remembered by what they mean. */
const MOST_REMEMBERED = 2_000;

/** How far a word is read: none of a list is nearly as long. */
const LONGEST_WORD = 64;

/**
 * Words by their letters, each with a number that says what it means. Words to look in have been given their
 * {@link shape}. A line is gone through once: what is remembered of it at a letter is at most a bounded number
 * of nodes, so that the steps grow with its length alone.
 */
export class WordTree {
  readonly #trie = new Trie();
  readonly #remembered = new Map<string, Word>();
  readonly #reads: Reads;

  /** @param words by meaning, as {@link Compiled} has them */
  constructor(reads: Reads, words: readonly string[]) {
    this.#reads = reads;
    for (const [meaning, letters] of words.entries())
      if (letters !== "")
        for (const word of letters.split(" ")) {
          const isOpen = word.endsWith("*");
          this.#trie.add(isOpen ? word.slice(0, -1) : word, meaning, isOpen);
        }
  }

  /** The words of a line by the place at which they begin, whole or in pieces. */
  wordsOf(line: readonly string[]): readonly (readonly Meant[] | undefined)[] {
    const found: (Meant[] | undefined)[] = [];
    const note: Note = (from, to, meanings) => {
      if (meanings.length === 0 || isWithinNumber(line, from) || isWithinNumber(line, to)) return;
      const here = (found[from] ??= []);
      for (const meaning of meanings) here.push({ meaning, to });
    };
    let begun = NOTHING;
    for (let place = 0; place < line.length; place++) {
      const word = this.#wordOf(line[place] ?? "");
      note(place, place + 1, word.meanings);
      begun = word.begins ? this.#goOn(begun, word, place, note) : NOTHING;
      if (this.#reads === "slips" && word.node !== undefined) this.#joinLong(line, place, word.node, note);
    }
    return found;
  }

  /** All that is known of a word by itself, wherever it stands: most are met again. */
  #wordOf(letters: string): Word {
    const known = this.#remembered.get(letters);
    if (known) return known;
    const read = this.#read(letters.startsWith("'") ? letters.slice(1) : letters);
    const word: Word = {
      letters,
      meanings: read.length === 0 && this.#reads === "slips" ? slipsOf(letters, this.#trie) : read,
      begins: isPiece(letters) ? this.#readPiece(BEGINNING, letters, 0, nobody).nodes : undefined,
      node: letters.startsWith("'") ? undefined : this.#trie.descend(letters),
    };
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    if (letters.length <= LONGEST_WORD) this.#remembered.set(letters, word);
    return word;
  }

  /** The meanings of a whole word. */
  #read(word: string): readonly number[] {
    const mayStretch = this.#reads !== "exactly";
    const found = new Set<number>();
    const take = (meanings: readonly number[]) => {
      for (const meaning of meanings) found.add(meaning);
    };
    let here = BEGINNING;
    const end = Math.min(word.length, LONGEST_WORD);
    for (let index = 0; index < end && here.nodes.length > 0; index++) {
      const letter = word.charAt(index);
      const isLast = index === word.length - 1;
      // A plural may end so.
      if (isLast && letter === "z")
        for (const node of this.#trie.step(here, "s", mayStretch).nodes) take(this.#trie.whole(node));
      here = this.#trie.step(here, letter, mayStretch);
      for (const node of here.nodes) {
        take(this.#trie.open(node));
        if (isLast) take(this.#trie.whole(node));
      }
    }
    return found.size === 0 ? NONE : [...found];
  }

  /** Goes on with what was begun, each marked by its place, by a short piece. */
  #goOn(begun: Reached, piece: Word, place: number, note: Note): Reached {
    // A digit by itself is a number to a reader, but not among pieces.
    const letter = AS_LETTER.get(piece.letters);
    const read = this.#goOnBy(begun, piece, place, note);
    if (letter === undefined) return read;
    const asLetter = this.#goOnBy(begun, this.#wordOf(letter), place, note);
    return { nodes: [...read.nodes, ...asLetter.nodes], marks: [...read.marks, ...asLetter.marks] };
  }

  #goOnBy(begun: Reached, { letters, begins = [] }: Word, place: number, note: Note): Reached {
    if (begun.nodes.length > 0)
      return this.#readPiece(
        { nodes: [...begun.nodes, Trie.ROOT], marks: [...begun.marks, place] },
        letters,
        place,
        note,
      );
    return begins.length === 0 ? NOTHING : { nodes: begins, marks: begins.map(() => place) };
  }

  #readPiece(from: Reached, piece: string, place: number, note: Note): Reached {
    const mayStretch = isOneLetter(piece);
    let here = from;
    for (let index = 0; index < piece.length && here.nodes.length > 0; index++) {
      const isLast = index === piece.length - 1;
      // A plural may end so.
      if (isLast && piece.charAt(index) === "z") {
        const { nodes, marks } = this.#trie.step(here, "s", mayStretch);
        for (const [at, node] of nodes.entries()) {
          const begunAt = marks[at] ?? place;
          if (begunAt < place) note(begunAt, place + 1, this.#trie.whole(node));
        }
      }
      here = this.#trie.step(here, piece.charAt(index), mayStretch);
      for (let at = 0; at < here.nodes.length; at++) {
        const node = here.nodes[at] ?? Trie.ROOT;
        const begunAt = here.marks[at] ?? place;
        if (begunAt === place) continue;
        note(begunAt, place + 1, this.#trie.open(node));
        if (isLast) note(begunAt, place + 1, this.#trie.whole(node));
      }
    }
    return here;
  }

  /** The words that two or three pieces of any length make, as they stand: "unde rage"; the first leads to a node. */
  #joinLong(line: readonly string[], from: number, first: number, note: Note): void {
    let node: number | undefined = first;
    let length = line[from]?.length ?? 0;
    let longest = length;
    for (let place = from + 1; place < from + MOST_PIECES; place++) {
      const piece = line[place];
      if (piece === undefined || piece.startsWith("'")) return;
      longest = Math.max(longest, piece.length);
      for (let index = 0; index < piece.length; index++) {
        node = this.#trie.child(node, piece.charCodeAt(index));
        if (node === undefined) return;
        length++;
        if (length >= LEAST_PIECED && longest > SHORT_PIECE) note(from, place + 1, this.#trie.open(node));
      }
      if (length >= LEAST_PIECED && longest > SHORT_PIECE) note(from, place + 1, this.#trie.whole(node));
    }
  }

  /** The longest words at each letter of a word, by the letter: as they stand; `to` is the letter behind each. */
  lengthsAt(word: string, from: number): readonly number[] {
    const lengths: number[] = [];
    let node: number | undefined = Trie.ROOT;
    for (let at = from; at < word.length && at < from + LONGEST_WORD; at++) {
      node = this.#trie.child(node, word.charCodeAt(at));
      if (node === undefined) break;
      if (this.#trie.whole(node).length > 0 || this.#trie.open(node).length > 0) lengths.push(at + 1 - from);
    }
    return lengths;
  }
}

const NONE: readonly number[] = [];
const NOTHING: Reached = { nodes: [], marks: [] };
const BEGINNING: Reached = { nodes: [Trie.ROOT], marks: [0] };

/** Takes down what is found between two places. */
type Note = (from: number, to: number, meanings: readonly number[]) => void;

const nobody: Note = () => {};

/** What follows an apostrophe is no piece. The signs of Indian vowels do not count: what is spread has them with it. */
const isPiece = (word: string) =>
  !word.startsWith("'") &&
  (word.length <= SHORT_PIECE ||
    (/^[\u0900-\u0DFF]+$/.test(word) && word.replaceAll(/\p{M}|(?<=\u094D)./gu, "").length <= SHORT_PIECE));

/** Whether a piece is one letter that is repeated. */
const isOneLetter = (piece: string) => piece.length > 1 && piece === piece.charAt(0).repeat(piece.length);

/** Whether a place is between two digits: those that stand alone in a row are one number. */
const isWithinNumber = (line: readonly string[], at: number) => isDigit(line[at - 1]) && isDigit(line[at]);

/** Chinese and Japanese digits stand alone, too. */
const DIGITS = new Set("0123456789〇零一二三四五六七八九十百千万");

const isDigit = (word: string | undefined) => word !== undefined && DIGITS.has(word);
