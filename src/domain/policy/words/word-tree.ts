import { Follower, LONGEST_WORD } from "./follow.ts";
import { slipsOf } from "./near-words.ts";
import { type Note, WordPiece, Pieces } from "./pieces.ts";
import { AS_LETTER } from "./readings.ts";
import { Reached, Trie } from "./trie.ts";

/** A word that was found: all that it means, a bit for each of that, and of how many of the line it is made. */
interface Meant {
  readonly meanings: readonly number[];
  readonly bits: number;
  readonly count: number;
}

/** The words that begin at a place, and the bits of all their meanings. */
export interface WordPlace {
  readonly meant: readonly Meant[];
  readonly bits: number;
}

/** A place where words begin that are put together of pieces. */
class Pieced implements WordPlace {
  readonly meant: Meant[];
  bits: number;

  constructor({ meant, bits }: WordPlace) {
    this.meant = [...meant];
    this.bits = bits;
  }

  add(one: Meant): void {
    this.meant.push(one);
    this.bits |= one.bits;
  }
}

/** A word by itself. */
interface Word {
  /** What it means as a whole. */
  readonly alone: WordPlace;
  /** Where it may be a piece of a word. */
  readonly piece: WordPiece | undefined;
  /** The node that it leads to as it stands. */
  readonly node: number | undefined;
  readonly isDigit: boolean;
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

const APOSTROPHE = 0x27;

/** How many words are remembered by what they mean. */
const MOST_REMEMBERED = 2_000;

/**
 * Words by their letters, each with a number that says what it means. Words to look in have been given their
 * {@link shape}. A line is gone through once: what is remembered of it at a letter is at most a bounded number
 * of nodes, so that the steps grow with its length alone.
 */
export class WordTree {
  readonly #trie = new Trie();
  readonly #remembered = new Map<string, Word>();
  /** Those of one character, by its code: most places of hostile texts have one. */
  readonly #characters = new Map<number, Word>();
  readonly #reads: Reads;
  readonly #follower = new Follower(this.#trie);
  readonly #pieces = new Pieces(this.#trie);

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
  wordsOf(line: readonly string[]): readonly WordPlace[] {
    if (this.#pieces.isFull) this.#forget();
    const words = line.map((letters) => this.#wordOf(letters));
    const places = words.map(({ alone, isDigit }, place) =>
      isDigit && (isWithinNumber(words, place) || isWithinNumber(words, place + 1)) ? NOTHING : alone,
    );
    const note: Note = (from, to, meanings) => {
      if (isWithinNumber(words, from) || isWithinNumber(words, to)) return;
      let place = places[from] ?? NOTHING;
      if (!(place instanceof Pieced)) places[from] = place = new Pieced(place);
      if (place instanceof Pieced) place.add(meantBy(meanings, to - from));
    };
    this.#pieces.begin();
    for (let place = 0; place < words.length; place++) {
      const { piece, node } = words[place] ?? STRANGE;
      if (piece) this.#pieces.goOn(piece, place, note);
      else this.#pieces.part();
      if (this.#reads === "slips" && node !== undefined) this.#joinLong(line, place, node, note);
    }
    return places;
  }

  /** All that is known of a word by itself, wherever it stands: most are met again. */
  #wordOf(letters: string): Word {
    if (letters.length === 1) {
      const code = letters.charCodeAt(0);
      const known = this.#characters.get(code);
      if (known) return known;
      if (!this.#trie.has(code) && code >= 0x80 && !DIGITS.has(letters)) return STRANGE;
      const word = this.#lookUp(letters);
      this.#characters.set(code, word);
      return word;
    }
    if (!this.#mayBegin(letters) && !isPiece(letters)) return STRANGE;
    const known = this.#remembered.get(letters);
    if (known) return known;
    const word = this.#lookUp(letters);
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    if (letters.length <= LONGEST_WORD) this.#remembered.set(letters, word);
    return word;
  }

  #forget(): void {
    this.#remembered.clear();
    this.#characters.clear();
    this.#pieces.forget();
  }

  #lookUp(letters: string): Word {
    const piece = isPiece(letters) ? this.#pieceOf(letters) : undefined;
    if (!this.#mayBegin(letters)) return { ...STRANGE, piece };
    const isBehind = letters.charCodeAt(0) === APOSTROPHE;
    const read = this.#read(isBehind ? letters.slice(1) : letters);
    const meanings = read.length === 0 && this.#reads === "slips" ? slipsOf(letters, this.#trie) : read;
    return {
      alone: meanings.length === 0 ? NOTHING : placeOf(meantBy(meanings, 1)),
      piece,
      node: isBehind ? undefined : this.#trie.descend(letters),
      isDigit: DIGITS.has(letters),
    };
  }

  #pieceOf(letters: string): WordPiece {
    const asLetter = this.#mayBegin(letters) ? AS_LETTER.get(letters) : undefined;
    return new WordPiece(asLetter === undefined ? [letters] : [letters, asLetter]);
  }

  /** Whether some word begins as a word does: most of foreign scripts do not, and there are too many to remember. */
  #mayBegin(letters: string): boolean {
    const first = letters.charCodeAt(0);
    return first < 0x80 || this.#trie.child(Trie.ROOT, first) !== undefined || DIGITS.has(letters);
  }

  /** The meanings of a whole word. */
  #read(word: string): readonly number[] {
    this.#follower.follow(BEGINNING, word, this.#reads !== "exactly");
    const { meanings, length } = this.#follower.told;
    return length === 0 ? NONE : [...new Set(meanings.slice(0, length).flat())];
  }

  /** The words that two or three pieces of any length make, as they stand: "unde rage"; the first leads to a node. */
  #joinLong(line: readonly string[], from: number, first: number, note: Note): void {
    if (areShort(line, from, from + MOST_PIECES)) return;
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
        if (length < LEAST_PIECED || longest <= SHORT_PIECE) continue;
        const open = this.#trie.open(node);
        if (open.length > 0) note(from, place + 1, open);
      }
      if (length < LEAST_PIECED || longest <= SHORT_PIECE) continue;
      const whole = this.#trie.whole(node);
      if (whole.length > 0) note(from, place + 1, whole);
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
export const NOTHING: WordPlace = { meant: [], bits: 0 };
const STRANGE: Word = { alone: NOTHING, piece: undefined, node: undefined, isDigit: false };
const BEGINNING = new Reached();
BEGINNING.add(Trie.ROOT, 0);

/** One bit of 32 for what a word means. */
export const bitOf = (meaning: number) => 1 << (meaning & 31);

const placeOf = (meant: Meant): WordPlace => ({ meant: [meant], bits: meant.bits });

function meantBy(meanings: readonly number[], count: number): Meant {
  let bits = 0;
  for (const meaning of meanings) bits |= bitOf(meaning);
  return { meanings, bits, count };
}

/** Whether a place is between two digits: those that stand alone in a row are one number. */
const isWithinNumber = (words: readonly Word[], at: number) =>
  words[at]?.isDigit === true && words[at - 1]?.isDigit === true;

/** What follows an apostrophe is no piece. The signs of Indian vowels do not count: what is spread has them with it. */
function isPiece(word: string): boolean {
  const first = word.charCodeAt(0);
  if (first === APOSTROPHE) return false;
  if (word.length <= SHORT_PIECE) return true;
  if (first < 0x0900 || first > 0x0dff) return false;
  return /^[\u0900-\u0DFF]+$/.test(word) && word.replaceAll(/\p{M}|(?<=\u094D)./gu, "").length <= SHORT_PIECE;
}

function areShort(line: readonly string[], from: number, to: number): boolean {
  for (let place = from; place < to; place++) if ((line[place]?.length ?? 0) > SHORT_PIECE) return false;
  return true;
}

/** Chinese and Japanese digits stand alone, too. */
const DIGITS = new Set("0123456789〇零一二三四五六七八九十百千万");
