import { slipsOf } from "./near-words.ts";
import { AS_LETTER } from "./readings.ts";
import { Reached, type Tell, Trie } from "./trie.ts";

/** A word that was found: all that it means, a bit for each of that, and of how many of the line it is made. */
export interface Meant {
  readonly meanings: readonly number[];
  readonly bits: number;
  readonly count: number;
}

/** A word by itself. */
interface Word {
  /** What it means as a whole. */
  readonly alone: readonly Meant[];
  /** The nodes that it leads to from the root, where it may be a piece of a word. */
  readonly begins: readonly number[] | undefined;
  /** The letter for which it stands among pieces: a digit by itself is a number to a reader. */
  readonly asLetter: string | undefined;
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

/** How many words are remembered by what they mean. */
const MOST_REMEMBERED = 2_000;

/** What a plural may end with, and what it stands for. */
const Z = 0x7a;
const S = 0x73;

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
  /** What pieces have begun, and what they come to by the next; and the nodes behind two letters, in turns. */
  #begun = new Reached();
  #reached = new Reached();
  readonly #one = new Reached();
  readonly #other = new Reached();

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
  wordsOf(line: readonly string[]): readonly (readonly Meant[])[] {
    const words = line.map((letters) => this.#wordOf(letters));
    // Between two digits: those that stand alone in a row are one number.
    const isWithinNumber = (at: number) => words[at]?.isDigit && words[at - 1]?.isDigit;
    const meant = words.map(({ alone, isDigit }, place) =>
      isDigit && (isWithinNumber(place) || isWithinNumber(place + 1)) ? NOTHING : alone,
    );
    const pieced: (Meant[] | undefined)[] = [];
    const note: Note = (from, to, meanings) => {
      if (isWithinNumber(from) || isWithinNumber(to)) return;
      const own = (pieced[from] ??= (meant[from] ?? NOTHING).slice());
      own.push(meantBy(meanings, to - from));
      meant[from] = own;
    };
    this.#begun.length = 0;
    for (let place = 0; place < words.length; place++) {
      const word = words[place] ?? STRANGE;
      this.#goOn(word, line[place] ?? "", place, note);
      if (this.#reads === "slips" && word.node !== undefined) this.#joinLong(line, place, word.node, note);
    }
    return meant;
  }

  /** All that is known of a word by itself, wherever it stands: most are met again. */
  #wordOf(letters: string): Word {
    if (!this.#mayBegin(letters)) return isPiece(letters) ? STRANGE_PIECE : STRANGE;
    const known = this.#remembered.get(letters);
    if (known) return known;
    const read = this.#read(letters.startsWith("'") ? letters.slice(1) : letters);
    const meanings = read.length === 0 && this.#reads === "slips" ? slipsOf(letters, this.#trie) : read;
    const asLetter = AS_LETTER.get(letters);
    const word: Word = {
      alone: meanings.length === 0 ? NOTHING : [meantBy(meanings, 1)],
      begins: isPiece(letters)
        ? [...this.#beginningsOf(letters), ...(asLetter ? this.#beginningsOf(asLetter) : NONE)]
        : undefined,
      asLetter,
      node: letters.startsWith("'") ? undefined : this.#trie.descend(letters),
      isDigit: DIGITS.has(letters),
    };
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    if (letters.length <= LONGEST_WORD) this.#remembered.set(letters, word);
    return word;
  }

  /** Whether some word begins as a word does: most of foreign scripts do not, and there are too many to remember. */
  #mayBegin(letters: string): boolean {
    const first = letters.charCodeAt(0);
    return first < 0x80 || this.#trie.child(Trie.ROOT, first) !== undefined || DIGITS.has(letters);
  }

  /** The nodes that a piece leads to. */
  #beginningsOf(piece: string): readonly number[] {
    const { nodes, length } = this.#follow(BEGINNING, piece, isOneLetter(piece), () => {});
    return [...nodes.subarray(0, length)];
  }

  /** The meanings of a whole word. */
  #read(word: string): readonly number[] {
    const found = new Set<number>();
    this.#follow(BEGINNING, word, this.#reads !== "exactly", (meanings) => {
      for (const meaning of meanings) found.add(meaning);
    });
    return found.size === 0 ? NONE : [...found];
  }

  /** Goes on with what was begun, each marked by its place, by a short piece. */
  #goOn({ begins, asLetter }: Word, letters: string, place: number, note: Note): void {
    const begun = this.#begun;
    const reached = this.#reached;
    reached.length = 0;
    if (begins && begun.length === 0) {
      for (const node of begins) reached.add(node, place);
    } else if (begins) {
      begun.add(Trie.ROOT, place);
      this.#goOnBy(letters, place, note);
      if (asLetter) this.#goOnBy(asLetter, place, note);
    }
    this.#begun = reached;
    this.#reached = begun;
  }

  #goOnBy(piece: string, place: number, note: Note): void {
    const tell: Tell = (meanings, mark) => {
      if (mark < place) note(mark, place + 1, meanings);
    };
    this.#reached.addAll(this.#follow(this.#begun, piece, isOneLetter(piece), tell));
  }

  /**
   * Goes on from nodes by letters, and tells what the words mean that are there on the way, with what the nodes came with.
   * @returns the nodes behind the letters: until others are followed
   */
  #follow(from: Reached, letters: string, mayStretch: boolean, tell: Tell): Reached {
    const trie = this.#trie;
    let here = from;
    for (let index = 0; index < letters.length && index < LONGEST_WORD && here.length > 0; index++) {
      const letter = letters.charCodeAt(index);
      const isLast = index === letters.length - 1;
      const behind = here === this.#one ? this.#other : this.#one;
      // A plural may end so.
      if (isLast && letter === Z) {
        trie.step(here, S, mayStretch, behind);
        trie.tellWhole(behind, tell);
      }
      trie.step(here, letter, mayStretch, behind);
      trie.tellOpen(behind, tell);
      if (isLast) trie.tellWhole(behind, tell);
      here = behind;
    }
    return here;
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
const NOTHING: readonly Meant[] = [];
const STRANGE: Word = {
  alone: NOTHING,
  begins: undefined,
  asLetter: undefined,
  node: undefined,
  isDigit: false,
};
const STRANGE_PIECE: Word = { ...STRANGE, begins: NONE };
const BEGINNING = new Reached();
BEGINNING.add(Trie.ROOT, 0);

/** One bit of 32 for what a word means. */
export const bitOf = (meaning: number) => 1 << (meaning & 31);

function meantBy(meanings: readonly number[], count: number): Meant {
  let bits = 0;
  for (const meaning of meanings) bits |= bitOf(meaning);
  return { meanings, bits, count };
}

/** Takes down what is found between two places. */
type Note = (from: number, to: number, meanings: readonly number[]) => void;

/** What follows an apostrophe is no piece. The signs of Indian vowels do not count: what is spread has them with it. */
const isPiece = (word: string) =>
  !word.startsWith("'") &&
  (word.length <= SHORT_PIECE ||
    (/^[\u0900-\u0DFF]+$/.test(word) && word.replaceAll(/\p{M}|(?<=\u094D)./gu, "").length <= SHORT_PIECE));

function areShort(line: readonly string[], from: number, to: number): boolean {
  for (let place = from; place < to; place++) if ((line[place]?.length ?? 0) > SHORT_PIECE) return false;
  return true;
}

/** Whether a piece is one letter that is repeated. */
function isOneLetter(piece: string): boolean {
  for (let index = 1; index < piece.length; index++)
    if (piece.charCodeAt(index) !== piece.charCodeAt(0)) return false;
  return piece.length > 1;
}

/** Chinese and Japanese digits stand alone, too. */
const DIGITS = new Set("0123456789〇零一二三四五六七八九十百千万");
