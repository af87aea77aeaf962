import { partedAtDigits } from "./digits.ts";
import { LONGEST_WORD } from "./follow.ts";
import { shapeOf } from "./shape.ts";
import type { KnownWord } from "./word-places.ts";

/** How many words are remembered, and how many characters that are one. */
const MOST_REMEMBERED = 4_000;

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
    this.known = this.letters === raw ? [] : textWord(this.letters).known;
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

const words = new Map<string, TextWord>();
/** Those of one character, by its code: most of hostile texts are. */
const characters = new Map<number, TextWord>();

/** A word by its letters. */
export function textWord(letters: string): TextWord {
  if (letters.length === 1) return characterWord(letters.charCodeAt(0));
  const known = words.get(letters);
  if (known) return known;
  const word = new TextWord(letters);
  if (letters.length > LONGEST_WORD) return word;
  if (words.size >= MOST_REMEMBERED) words.clear();
  words.set(letters, word);
  return word;
}

/** A word of one character, by its code. */
export function characterWord(code: number): TextWord {
  const known = characters.get(code);
  if (known) return known;
  const word = new TextWord(String.fromCharCode(code));
  if (characters.size >= MOST_REMEMBERED) characters.clear();
  characters.set(code, word);
  return word;
}

/** Forgets what words are: new trees come in place of others. */
export function forgetWords(): void {
  words.clear();
  characters.clear();
}
