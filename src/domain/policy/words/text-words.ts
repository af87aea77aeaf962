import { partedAtDigits } from "./digits.ts";
import { LONGEST_WORD } from "./follow.ts";
import { shapeOf } from "./shape.ts";
import type { KnownWord } from "./word-places.ts";

/** How many words are remembered at the least, and how many characters that are one. */
const MOST_REMEMBERED = 2_000;

/** A word of a text, and what was found out of it: most are met again. */
export class TextWord {
  /** In the {@link shapeOf} that terms have. */
  readonly letters: string;
  /** By tree: what it is there. All words of one shape are the same. */
  readonly known: (KnownWord | undefined)[];
  readonly #raw: string;
  #atDigits: readonly TextWord[] | undefined;

  constructor(raw: string) {
    this.#raw = raw;
    this.letters = shapeOf(raw);
    this.known = this.letters === raw ? [undefined, undefined] : textWord(this.letters).known;
  }

  /** The words that digits part it into; itself where there are none. */
  get atDigits(): readonly TextWord[] {
    return (this.#atDigits ??= this.#part());
  }

  #part(): readonly TextWord[] {
    const parts = partedAtDigits(this.#raw);
    return parts.length === 1 ? [this] : parts.map(textWord);
  }
}

/** Keeps the latest of what was found out: what is met again and again stays, whatever else comes. */
class Latest<Key, Value> {
  readonly #most: number;
  #latest = new Map<Key, Value>();
  /** Those before, of which is kept what is asked for. */
  #older = new Map<Key, Value>();

  /** @param most how many are kept at the least, once there are as many; twice as many at the most */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    const known = this.#latest.get(key);
    if (known !== undefined) return known;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    if (this.#latest.size >= this.#most) {
      this.#older = this.#latest;
      this.#latest = new Map();
    }
    this.#latest.set(key, value);
  }

  clear(): void {
    this.#latest.clear();
    this.#older.clear();
  }
}

const words = new Latest<string, TextWord>(MOST_REMEMBERED);
/** Those of one character, by its code: most of hostile texts are. */
const characters = new Latest<number, TextWord>(MOST_REMEMBERED);

/** A word by its letters. */
export function textWord(letters: string): TextWord {
  if (letters.length === 1) return characterWord(letters.charCodeAt(0));
  const known = words.get(letters);
  if (known) return known;
  const word = new TextWord(letters);
  if (letters.length > LONGEST_WORD) return word;
  words.set(letters, word);
  return word;
}

/** A word of one character, by its code. */
export function characterWord(code: number): TextWord {
  const known = characters.get(code);
  if (known) return known;
  const word = new TextWord(String.fromCharCode(code));
  characters.set(code, word);
  return word;
}

/** Forgets what words are in trees: of one so much was learned, or it comes in place of another. */
export function forgetWords(): void {
  words.clear();
  characters.clear();
}
