import { fold } from "./fold.ts";
import { shape } from "./shape.ts";

/** Words that a language's terms may leave open. */
export interface Grammar {
  /** Words of little meaning: `~` stands for up to three of them. */
  readonly little: readonly string[];
  /** Numbers below 18 as words: `#` stands for one, or for digits. */
  readonly numbers: readonly string[];
}

/** Lists of terms as {@link Terms} looks for them. */
export interface Compiled<List> {
  /** By meaning: the letters of every word that has it, in their {@link shape}, with a space between; `porn*` is open. */
  readonly words: readonly string[];
  /** By list: what the words of each term mean, one after the other. */
  readonly phrases: readonly (readonly [List, readonly (readonly number[])[]])[];
}

/** What the words of a gap mean: `~`. */
export const GAP = 0;

/** Ages below 18, as digits. */
const AGES = Array.from({ length: 18 }, (_, age) => age).flatMap((age) =>
  age < 10 ? [`${age}`, `0${age}`] : [`${age}`],
);

/**
 * Compiles lists of terms. A term is one word or several, each with alternatives: `young girl|boy`. `porn*` is every word
 * that begins so; `~` and `#` are as {@link Grammar} says. What {@link spellings} says may be written in a text.
 */
export function compile<List>(
  lists: Iterable<readonly [List, readonly string[]]>,
  { little, numbers }: Grammar,
): Compiled<List> {
  const words: string[] = [lettersOf(little)];
  const meanings = new Map<string, number>([["~", GAP]]);
  const meaningOf = (slot: string): number => {
    const known = meanings.get(slot);
    if (known !== undefined) return known;
    meanings.set(slot, words.length);
    return words.push(lettersOf(slot === "#" ? [...AGES, ...numbers] : slot.split("|"))) - 1;
  };
  const phrases = Array.from(
    lists,
    ([list, terms]) => [list, terms.map((term) => term.split(" ").map(meaningOf))] as const,
  );
  return { words, phrases };
}

function lettersOf(words: readonly string[]): string {
  const letters = words.flatMap((word) => {
    const isOpen = word.endsWith("*");
    return spellings(isOpen ? word.slice(0, -1) : word).map(
      (spelling) => `${shape(fold(spelling)).replaceAll(" ", "")}${isOpen ? "*" : ""}`,
    );
  });
  return [...new Set(letters)].join(" ");
}

/** What Arabic writes before a word. */
const BEFORE = ["", "ال", "و", "وال", "بال", "لل", "ل", "ب"];

/** With umlauts as plain letters, as accents fold, and written out; and with what Arabic writes before a word. */
export function spellings(word: string): readonly string[] {
  if (/^[\u0600-\u06FF]/.test(word)) return BEFORE.map((one) => one + word);
  const out = word.replaceAll(/[äöü]/g, (umlaut) => `${fold(umlaut)}e`);
  return out === word ? [word] : [word, out];
}
