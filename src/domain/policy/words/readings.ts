import { reveal } from "./fold.ts";
import { isCapitalI } from "./lookalikes.ts";

/** Digits and signs that are read as a letter; those that are one stroke become `1`, which is an `i` or an `l`. */
export const AS_LETTER: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
);

/** A capital I within a word, which looks like a small l. */
const STROKE = /(?<=[^\s\p{P}])I|I(?=[^\s\p{P}])/gu;

/** What words are made of, and where signs are letters, too. */
const LETTERS = String.raw`\p{L}\p{M}\p{N}`;
const SIGNED = String.raw`${LETTERS}@$€|!*`;

/** An apostrophe, but for what English contracts, which makes no word with what stands behind: "he's ex-army". */
const PARTING = /'(?!(?<=\p{L}')(?:s|t|d|m|re|ll|ve)(?!\p{L}))/gu;

/**
 * A character of Chinese or Japanese, which are written without spaces: each is a piece of a word. What is written in
 * katakana is a word of its own.
 */
const CHARACTER = /([\p{sc=Han}\p{sc=Hiragana}])\1*|[\p{sc=Katakana}ー]+/gu;

/** The words of a text, in the {@link shape} that terms have. */
export type TextReading = readonly string[];

/** Reads a text in every way that a person would tell its words apart: four, however it is written. */
export function readingsOf(text: string): readonly TextReading[] {
  const seen = reveal(text);
  const revealed = characterwise(contract(gather(seen)));
  // Most texts have neither signs nor digits, nor capitals that look like small letters: all four are one.
  if (/^[\p{L}\p{M}\s]*$/u.test(revealed) && !/[\p{Lu}\p{Nl}]/u.test(text)) return wordsOf([revealed]);
  const stroked = stroke(text);
  // Without any it would be the first one again.
  const signed = stroked !== text ? [reveal(stroked)] : /[@$€|!*]/.test(seen) ? [seen] : [];
  const parted = revealed.replaceAll(/[^\p{L}\p{M}\p{N}\s']+/gu, " ");
  return wordsOf([
    // Signs part words, and so may digits: "15yo".
    parted,
    /\d\p{L}|[\p{L}\p{M}]\d/u.test(parted)
      ? parted.replaceAll(
          /(?<![\p{L}\p{M}\d])(?:(\d+)(?=\p{L})|([\p{L}\p{M}]+)(?=\d+(?![\p{L}\p{M}\d])))/gu,
          "$& ",
        )
      : parted,
    // Signs are letters, unless a word ends with them.
    ...signed.map((line) =>
      characterwise(contract(gatherSigned(line)))
        .replaceAll(/[^\p{L}\p{M}\p{N}\s@$€|!*']+/gu, " ")
        .replaceAll(/(?<![@$€|!*])[@$€|!*]+(?!\S)/gu, ""),
    ),
    // Signs are nothing, as in "pa-ge".
    parted === revealed ? parted : revealed.replaceAll(/[^\p{L}\p{M}\p{N}\s']+/gu, ""),
  ]);
}

/** The words of lines; of two that have the same ones, one. */
function wordsOf(lines: readonly string[]): readonly TextReading[] {
  const readings: TextReading[] = [];
  for (const line of new Set(lines)) {
    const words = (line.match(/\S+/g) ?? []).map(shapeOf);
    if (!readings.some((reading) => areSame(reading, words))) readings.push(words);
  }
  return readings;
}

const areSame = (one: TextReading, other: TextReading) =>
  one.length === other.length && one.every((word, index) => word === other[index]);

const characterwise = (text: string) =>
  /^[\0-\u2FFF]*$/.test(text) ? text : text.replaceAll(CHARACTER, " $& ");

/** Makes a stroke of each capital I within a word, of whatever alphabet. */
const stroke = (text: string) =>
  text
    .replaceAll(/[^\p{ASCII}\P{Lu}]|\p{Nl}/gu, (letter) => (isCapitalI(letter) ? "I" : letter))
    .replaceAll(STROKE, "1");

/** Parts words at apostrophes; what is contracted keeps its own. */
const contract = (text: string) =>
  text.includes("'") ? text.replaceAll(PARTING, " ").replaceAll("'", " '") : text;

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
      let least = Infinity;
      let most = 0;
      for (const gap of spread.match(gaps) ?? []) {
        const width = widthOf(gap);
        least = Math.min(least, width);
        most = Math.max(most, width);
      }
      if (least === most) return spread;
      return spread.replaceAll(gaps, (gap) => (widthOf(gap) === least ? "" : " "));
    });
}

/** Spaces part more than signs do, however many those are: "p.a.g.e. t.w.o". No text is as long (section 4.12). */
const SPACE = 100_000;
const widthOf = (gap: string) => (/\s/.test(gap) ? gap.length + SPACE : gap.length);

/**
 * The one way to write what can be written in several: digits and signs as letters, and what is repeated thrice at most.
 * A number stays a number: what has no letter in it is no word.
 */
export const shape = (words: string) => words.split(" ").map(shapeOf).join(" ");

function shapeOf(word: string): string {
  if (word.length < 2) return word;
  const squeezed = squeeze(word);
  if (!/[^\p{L}\p{M}*']/u.test(squeezed) || !/\p{L}/u.test(squeezed)) return squeezed;
  return squeeze(squeezed.replaceAll(/[^\p{L}\p{M}*']/gu, (sign) => AS_LETTER.get(sign) ?? sign));
}

const squeeze = (word: string) => (word.length < 4 ? word : word.replaceAll(/(\S)\1{3,}/gu, "$1$1$1"));
