import {
  AS_LETTER_TOO,
  CAPITAL_I,
  codeAt,
  kindAt,
  kindBefore,
  kindOf,
  lengthOf,
  LETTER,
  OF_WORDS,
  PUNCTUATION,
  SIGN,
  SPACE,
} from "./characters.ts";
import { reveal } from "./fold.ts";
import { gather } from "./gather.ts";
import { partedAtDigits, wordsOf } from "./parting.ts";

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

/** The words of a text, in the {@link shape} that terms have. */
export type TextReading = readonly string[];

/** Reads a text in every way that a person would tell its words apart: four, however it is written. */
export function readingsOf(text: string): readonly TextReading[] {
  const seen = reveal(text);
  const gathered = gather(seen, OF_WORDS);
  const parted = wordsOf(gathered, OF_WORDS, false);
  const stroked = stroke(text);
  // Without any it would be the first one again.
  const signed = stroked !== text ? reveal(stroked) : /[@$€|!*]/.test(seen) ? seen : undefined;
  return shapesOf([
    // Signs part words, and so may digits: "15yo".
    parted,
    partedAtDigits(parted),
    // Signs are letters, unless a word ends with them.
    signed === undefined ? [] : wordsOf(gather(signed, OF_WORDS | SIGN), OF_WORDS | SIGN, false),
    // Signs are nothing, as in "pa-ge".
    wordsOf(gathered, OF_WORDS, true),
  ]);
}

/** The words of lines in their shape; of two that have the same ones, one. */
function shapesOf([first = [], ...others]: readonly TextReading[]): readonly TextReading[] {
  const readings = [first.map(shapeOf)];
  for (const line of others) {
    if (line.length === 0 || areSame(line, first)) continue;
    const words = line.map(shapeOf);
    if (!readings.some((reading) => areSame(reading, words))) readings.push(words);
  }
  return readings;
}

function areSame(one: TextReading, other: TextReading): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

/** Makes a stroke of each capital I within a word, of whatever alphabet: it looks like a small l. */
function stroke(text: string): string {
  let stroked = "";
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const code = codeAt(text, at);
    const behind = at + lengthOf(code);
    if ((kindOf(code) & CAPITAL_I) !== 0) {
      const isWithin = isOfWord(kindBefore(text, at)) || isOfWord(kindAt(text, behind));
      stroked += `${text.slice(copied, at)}${isWithin ? "1" : "I"}`;
      copied = behind;
    }
    at = behind;
  }
  return copied === 0 ? text : stroked + text.slice(copied);
}

/** Whether a character is part of a word, if there is one. */
const isOfWord = (kind: number) => kind !== 0 && (kind & (SPACE | PUNCTUATION)) === 0;

/**
 * The one way to write what can be written in several: digits and signs as letters, and what is repeated thrice at most.
 * A number stays a number: what has no letter in it is no word.
 */
export const shape = (words: string) => words.split(" ").map(shapeOf).join(" ");

function shapeOf(word: string): string {
  if (word.length < 2) return word;
  const squeezed = squeeze(word);
  let kinds = 0;
  for (let at = 0; at < squeezed.length; at++) kinds |= kindAt(squeezed, at);
  if ((kinds & AS_LETTER_TOO) === 0 || (kinds & LETTER) === 0) return squeezed;
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
