import { Follower, LONGEST_WORD } from "./follow.ts";
import { Meanings } from "./meanings.ts";
import { slipsOf } from "./near-words.ts";
import { type Note, WordPiece, Pieces } from "./pieces.ts";
import { AS_LETTER } from "./shape.ts";
import { forgetWords, type TextWord } from "./text-words.ts";
import { Reached, Trie } from "./trie.ts";
import { type KnownWord, NOTHING, PiecedPlace, placeOf, type WordPlace } from "./word-places.ts";

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

/** How many trees there are. */
let trees = 0;

/**
 * Words by their letters, each with a number that says what it means. A line is gone through once: what is remembered of
 * it at a letter is at most a bounded number of nodes, so that the steps grow with its length alone.
 */
export class WordTree {
  /** Where words of a text keep what they are here. */
  readonly #index = trees++;
  readonly #trie = new Trie();
  readonly #reads: Reads;
  readonly #follower = new Follower(this.#trie);
  readonly #pieces = new Pieces(this.#trie);
  /** The words of the line that is gone through, and what begins at their places. */
  readonly #words: KnownWord[] = [];
  readonly #places: WordPlace[] = [];

  /** @param words by meaning, as {@link Compiled} has them */
  constructor(reads: Reads, words: readonly string[]) {
    forgetWords();
    this.#reads = reads;
    for (const [meaning, letters] of words.entries())
      if (letters !== "")
        for (const word of letters.split(" ")) {
          const isOpen = word.endsWith("*");
          this.#trie.add(isOpen ? word.slice(0, -1) : word, meaning, isOpen);
        }
  }

  /** The words of a line by the place at which they begin, whole or in pieces: until another line is gone through. */
  wordsOf(line: readonly TextWord[]): readonly WordPlace[] {
    if (this.#pieces.isFull) {
      this.#pieces.forget();
      forgetWords();
    }
    const words = this.#words;
    const places = this.#places;
    words.length = places.length = line.length;
    for (let at = 0; at < line.length; at++) words[at] = this.#known(line[at]);
    for (let at = 0; at < line.length; at++) {
      const { alone, isDigit } = words[at] ?? STRANGE;
      places[at] = isDigit && (isWithinNumber(words, at) || isWithinNumber(words, at + 1)) ? NOTHING : alone;
    }
    const note: Note = (from, to, meanings) => {
      if (isWithinNumber(words, from) || isWithinNumber(words, to)) return;
      const place = places[from] ?? NOTHING;
      if (place instanceof PiecedPlace) place.add(meanings, to - from);
      else places[from] = new PiecedPlace(place, meanings, to - from);
    };
    this.#pieces.begin();
    for (let place = 0; place < words.length; place++) {
      const { piece, node } = words[place] ?? STRANGE;
      if (piece) this.#pieces.goOn(piece, place, note);
      else this.#pieces.part();
      if (node !== undefined) this.#joinLong(line, place, node, note);
    }
    return places;
  }

  /** All that is known of a word by itself. */
  #known(word: TextWord | undefined): KnownWord {
    return word ? (word.known[this.#index] ??= this.#lookUp(word.letters)) : STRANGE;
  }

  #lookUp(letters: string): KnownWord {
    const mayBegin = this.#mayBegin(letters);
    const piece = isPiece(letters) ? this.#pieceOf(letters, mayBegin) : undefined;
    if (!mayBegin) return piece ? { ...STRANGE, piece } : STRANGE;
    const isBehind = letters.charCodeAt(0) === APOSTROPHE;
    const meanings =
      this.#read(isBehind ? letters.slice(1) : letters) ??
      (this.#reads === "slips" ? slipsOf(letters, this.#trie) : undefined);
    return {
      alone: meanings ? placeOf(meanings) : NOTHING,
      piece,
      node: isBehind || this.#reads !== "slips" ? undefined : this.#trie.descend(letters),
      isDigit: DIGITS.has(letters),
    };
  }

  /** What a short word is as a piece; a letter that stands in no word is none. */
  #pieceOf(letters: string, mayBegin: boolean): WordPiece | undefined {
    if (letters.length === 1 && !this.#trie.has(letters.charCodeAt(0)) && !mayBegin) return undefined;
    const asLetter = mayBegin ? AS_LETTER.get(letters) : undefined;
    return new WordPiece(asLetter === undefined ? [letters] : [letters, asLetter]);
  }

  /** Whether some word begins as a word does: most of foreign scripts do not. */
  #mayBegin(letters: string): boolean {
    const first = letters.charCodeAt(0);
    return first < 0x80 || this.#trie.child(Trie.ROOT, first) !== undefined || DIGITS.has(letters);
  }

  /** What a whole word means. */
  #read(word: string): Meanings | undefined {
    this.#follower.follow(BEGINNING, word, this.#reads !== "exactly");
    const { meanings, length } = this.#follower.told;
    return length === 0 ? undefined : Meanings.of(meanings.slice(0, length));
  }

  /** The words that two or three pieces of any length make, as they stand: "unde rage"; the first leads to a node. */
  #joinLong(line: readonly TextWord[], from: number, first: number, note: Note): void {
    if (areShort(line, from, from + MOST_PIECES)) return;
    let node: number | undefined = first;
    let length = line[from]?.letters.length ?? 0;
    let longest = length;
    for (let place = from + 1; place < from + MOST_PIECES; place++) {
      const piece = line[place]?.letters;
      if (piece === undefined || piece.startsWith("'")) return;
      longest = Math.max(longest, piece.length);
      for (let index = 0; index < piece.length; index++) {
        node = this.#trie.child(node, piece.charCodeAt(index));
        if (node === undefined) return;
        length++;
        if (length < LEAST_PIECED || longest <= SHORT_PIECE) continue;
        const open = this.#trie.open(node);
        if (open) note(from, place + 1, open);
      }
      if (length < LEAST_PIECED || longest <= SHORT_PIECE) continue;
      const whole = this.#trie.whole(node);
      if (whole) note(from, place + 1, whole);
    }
  }

  /** The longest words at each letter of a word, by the letter: as they stand; `to` is the letter behind each. */
  lengthsAt(word: string, from: number): readonly number[] {
    const lengths: number[] = [];
    let node: number | undefined = Trie.ROOT;
    for (let at = from; at < word.length && at < from + LONGEST_WORD; at++) {
      node = this.#trie.child(node, word.charCodeAt(at));
      if (node === undefined) break;
      if (this.#trie.whole(node) ?? this.#trie.open(node)) lengths.push(at + 1 - from);
    }
    return lengths;
  }
}

const STRANGE: KnownWord = { alone: NOTHING, piece: undefined, node: undefined, isDigit: false };
const BEGINNING = new Reached();
BEGINNING.add(Trie.ROOT, 0);

/** Whether a place is between two digits: those that stand alone in a row are one number. */
const isWithinNumber = (words: readonly KnownWord[], at: number) =>
  words[at]?.isDigit === true && words[at - 1]?.isDigit === true;

/** What follows an apostrophe is no piece. The signs of Indian vowels do not count: what is spread has them with it. */
function isPiece(word: string): boolean {
  const first = word.charCodeAt(0);
  if (first === APOSTROPHE) return false;
  if (word.length <= SHORT_PIECE) return true;
  if (first < 0x0900 || first > 0x0dff) return false;
  return /^[\u0900-\u0DFF]+$/.test(word) && word.replaceAll(/\p{M}|(?<=\u094D)./gu, "").length <= SHORT_PIECE;
}

function areShort(line: readonly TextWord[], from: number, to: number): boolean {
  for (let place = from; place < to; place++)
    if ((line[place]?.letters.length ?? 0) > SHORT_PIECE) return false;
  return true;
}

/** Chinese and Japanese digits stand alone, too. */
const DIGITS = new Set("0123456789〇零一二三四五六七八九十百千万");
