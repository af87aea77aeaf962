import { reveal, separate } from "./fold.ts";

/** Digits and signs that are read as a letter; those that are one stroke become `1`, which is an `i` or an `l`. */
const AS_LETTER: Readonly<Record<string, string>> = {
  0: "o",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  8: "b",
  9: "g",
  "@": "a",
  $: "s",
  "€": "e",
  "!": "1",
  "|": "1",
};

/** A capital I within a word, which looks like a small l. */
const STROKE = /(?<=\p{L})I|I(?=\p{L})/gu;

/** The ways in which a text can be read, each to be looked through by {@link Terms}. */
export interface Readings {
  /** A line for each way to tell its words apart, in the {@link shape} that terms have. */
  readonly words: string;
  /** Words that were spread into single letters, each row of them on a line: where one ends is not known. */
  readonly spread: string;
}

/** Reads a text in every way that a person would. */
export function readingsOf(text: string): Readings {
  const revealed = reveal(text);
  const parted = separate(revealed);
  const signed = reveal(text.replaceAll(STROKE, "1")).replaceAll(/[^\p{L}\p{N}@$€|!*]+/gu, " ");
  const words = [
    // Signs part words, and so may digits: "15yo".
    parted,
    parted.replaceAll(/(\d)(?=\p{L})/gu, "$1 "),
    // Signs are letters, unless a word ends with them.
    signed.replaceAll(/[@$€|!*]+(?!\S)/gu, ""),
    // Signs are nothing, as in "pa-ge", but an apostrophe, which parts words in all our languages.
    revealed.replaceAll(/[^\p{L}\p{N}\s']+/gu, "").replaceAll(/[\s']+/g, " "),
  ];
  const spread = [parted, signed].flatMap(rowsOfLetters);
  return { words: shapes(words), spread: shapes(spread) };
}

/** Three letters or more that stand alone, the same one twice counting as one: "p a g e". */
function rowsOfLetters(words: string): string[] {
  const rows = words.match(/(?<!\S)(\S)\1*(?: (\S)\2*(?!\S)){2,}/gu) ?? [];
  return rows.map((row) => row.replaceAll(" ", ""));
}

const shapes = (lines: readonly string[]) => [...new Set(lines)].map(shape).join("\n");

/**
 * The one way to write what can be written in several: digits and signs as letters, and what is repeated thrice at most.
 * A number stays a number: what has no letter in it is no word.
 */
export function shape(words: string): string {
  return words
    .replaceAll(/(?<!\S)\S*\p{L}\S*/gu, (word) =>
      word.replaceAll(/[^\p{L}*]/gu, (sign) => AS_LETTER[sign] ?? sign),
    )
    .replaceAll(/(\S)\1{3,}/gu, "$1$1$1");
}
