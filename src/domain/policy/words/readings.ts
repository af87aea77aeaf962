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
const SIGNS = "@$€|!*";
const SIGNED = `${LETTERS}${SIGNS}`;

/** An apostrophe, but for what English contracts, which makes no word with what stands behind: "he's ex-army". */
const PARTING = /'(?!(?<=\p{L}')(?:s|t|d|m|re|ll|ve)(?!\p{L}))/gu;

/**
 * A character of Chinese or Japanese, which are written without spaces: each is a piece of a word. What is written in
 * katakana is a word of its own.
 */
const CHARACTER = /([\p{sc=Han}\p{sc=Hiragana}])\1*|[\p{sc=Katakana}ー]+/gu;

/** The words of a text, in the {@link shape} that terms have. */
export type TextReading = readonly string[];

/** Words between signs, and with those that are letters. */
const WORDS = /[\p{L}\p{M}\p{N}']+/gu;
const SIGNED_WORDS = /[\p{L}\p{M}\p{N}@$€|!*']+/gu;

/** Where digits part from letters in a word, which keep what stands on their other side. */
const DIGITS_OF_WORD = /(?<![\p{L}\p{M}\d])(?:(\d+)(?=\p{L})|([\p{L}\p{M}]+)(?=\d+(?![\p{L}\p{M}\d])))/gu;

/** Reads a text in every way that a person would tell its words apart: four, however it is written. */
export function readingsOf(text: string): readonly TextReading[] {
  const seen = reveal(text);
  const revealed = characterwise(contract(gather(seen)));
  const parted = revealed.match(WORDS) ?? [];
  // Most texts have neither signs nor digits, nor capitals that look like small letters: all four are one.
  if (/^[\p{L}\p{M}\s]*$/u.test(seen) && !/[\p{Lu}\p{Nl}]/u.test(text)) return shapesOf([parted]);
  const stroked = stroke(text);
  // Without any it would be the first one again.
  const signed = stroked !== text ? reveal(stroked) : /[@$€|!*]/.test(seen) ? seen : undefined;
  return shapesOf([
    // Signs part words, and so may digits: "15yo".
    parted,
    parted.flatMap((word) => (/\d/.test(word) ? word.replaceAll(DIGITS_OF_WORD, "$& ").split(" ") : word)),
    // Signs are letters, unless a word ends with them.
    signed === undefined ? [] : signedWordsOf(characterwise(contract(gatherSigned(signed)))),
    // Signs are nothing, as in "pa-ge".
    revealed.replaceAll(/[^\p{L}\p{M}\p{N}\s']+/gu, "").match(/\S+/g) ?? [],
  ]);
}

/** The words of lines in their shape; of two that have the same ones, one. */
function shapesOf([first = [], ...others]: readonly TextReading[]): readonly TextReading[] {
  const readings = [first.map(shapeOf)];
  for (const line of others) {
    const words = line.map(shapeOf);
    if (line.length > 0 && !readings.some((reading) => areSame(reading, words))) readings.push(words);
  }
  return readings;
}

/** The words of a line in which signs are letters, without those that they end with. */
function signedWordsOf(line: string): string[] {
  const words: string[] = [];
  for (const word of line.match(SIGNED_WORDS) ?? []) {
    let end = word.length;
    while (end > 0 && SIGNS.includes(word.charAt(end - 1))) end--;
    if (end > 0) words.push(word.slice(0, end));
  }
  return words;
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
  if (!/[0345789@$€!|]/.test(squeezed) || !/\p{L}/u.test(squeezed)) return squeezed;
  let letters = "";
  for (const sign of squeezed) letters += AS_LETTER.get(sign) ?? sign;
  return squeeze(letters);
}

function squeeze(word: string): string {
  for (let index = 3; index < word.length; index++)
    if (mayRepeat(word, index)) return word.replaceAll(/(\S)\1{3,}/gu, "$1$1$1");
  return word;
}

/** Whether a letter stands there for the fourth time, or half of one: most words have neither. */
function mayRepeat(word: string, index: number): boolean {
  const code = word.charCodeAt(index);
  if (code !== word.charCodeAt(index - 1)) return code >= 0xd800 && code < 0xe000;
  return code === word.charCodeAt(index - 2) && code === word.charCodeAt(index - 3);
}
