import { reveal } from "./fold.ts";
import { isCapitalI } from "./lookalikes.ts";

/** Digits and signs that are read as a letter; those that are one stroke become `1`, which is an `i` or an `l`. */
export const AS_LETTER: Readonly<Record<string, string>> = {
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
const STROKE = /(?<=[\p{L}\p{N}\p{M}])I|I(?=[\p{L}\p{N}\p{M}])/gu;

/** What words are made of, and where signs are letters, too. */
const LETTERS = String.raw`\p{L}\p{N}`;
const SIGNED = String.raw`${LETTERS}@$€|!*`;

/** What English contracts, which makes no word with what stands behind: "he's ex-army". */
const CONTRACTED = /(?<=\p{L})'(?=(?:s|t|d|m|re|ll|ve)(?!\p{L}))/gu;

/** The words of a text, in the {@link shape} that terms have. */
export type Reading = readonly string[];

/** Reads a text in every way that a person would tell its words apart. */
export function readingsOf(text: string): readonly Reading[] {
  const revealed = contract(gather(reveal(text)));
  const parted = revealed.replaceAll(/[^\p{L}\p{N}']+/gu, " ");
  const lines = new Set([
    // Signs part words, and so may digits: "15yo".
    parted,
    parted.replaceAll(/(?<![\p{L}\d])(?:(\d+)(?=\p{L})|(\p{L}+)(?=\d+(?![\p{L}\d])))/gu, "$& "),
    // Signs are letters, unless a word ends with them.
    contract(gatherSigned(reveal(stroke(text))))
      .replaceAll(/[^\p{L}\p{N}@$€|!*']+/gu, " ")
      .replaceAll(/[@$€|!*]+(?!\S)/gu, ""),
    // Signs are nothing, as in "pa-ge".
    revealed.replaceAll(/[^\p{L}\p{N}\s']+/gu, ""),
  ]);
  return [...lines].map((line) => shape(line).split(/\s+/).filter(Boolean));
}

/** Makes a stroke of each capital I within a word, of whatever alphabet. */
const stroke = (text: string) =>
  text
    .replaceAll(/[\p{Lu}\p{Nl}]/gu, (letter) => (isCapitalI(letter) ? "I" : letter))
    .replaceAll(STROKE, "1");

/** Parts words at apostrophes; what is contracted keeps its own. */
const contract = (text: string) =>
  text.replaceAll(CONTRACTED, " \0").replaceAll("'", " ").replaceAll("\0", "'");

const gather = gathering(LETTERS);
const gatherSigned = gathering(SIGNED);

/**
 * Puts words together that were spread into letters, "p a g e  t w o": a wider gap says where each ends. Where none
 * does they stay in pieces.
 */
function gathering(letters: string): (text: string) => string {
  const gaps = new RegExp(`[^${letters}]+`, "gu");
  // Three or more that stand alone, one that is repeated being one.
  const row = new RegExp(
    `(?<![${letters}])([${letters}])\\1*(?:[^${letters}]+([${letters}])\\2*(?![${letters}])){2,}`,
    "gu",
  );
  return (text) =>
    text.replaceAll(row, (spread) => {
      const least = Math.min(...(spread.match(gaps) ?? []).map(widthOf));
      const parted = spread.replaceAll(gaps, (gap) => (widthOf(gap) === least ? "" : " "));
      return parted.includes(" ") ? parted : spread;
    });
}

/** Spaces part more than signs do: "p.a.g.e. t.w.o". */
const widthOf = (gap: string) => gap.length + (/\s/.test(gap) ? 100 : 0);

/**
 * The one way to write what can be written in several: digits and signs as letters, and what is repeated thrice at most.
 * A number stays a number: what has no letter in it is no word.
 */
export function shape(words: string): string {
  return words
    .replaceAll(/(?<!\S)\S*\p{L}\S*/gu, (word) =>
      word.replaceAll(/[^\p{L}*']/gu, (sign) => AS_LETTER[sign] ?? sign),
    )
    .replaceAll(/(\S)\1{3,}/gu, "$1$1$1");
}
