import {
  CAPITAL_I,
  codeAt,
  kindAt,
  kindBefore,
  kindOf,
  lengthOf,
  OF_WORDS,
  PUNCTUATION,
  SIGN,
  SPACE,
} from "./characters.ts";
import { reveal } from "./fold.ts";
import { gather } from "./gather.ts";
import { wordsOf } from "./parting.ts";
import type { TextWord } from "./text-words.ts";

/** The words of a text. */
export type TextReading = readonly TextWord[];

/** Reads a text in every way that a person would tell its words apart: four, however it is written. */
export function readingsOf(text: string): readonly TextReading[] {
  const seen = reveal(text);
  const gathered = gather(seen, OF_WORDS);
  const parted = wordsOf(gathered, OF_WORDS, false);
  const stroked = stroke(text);
  // Most texts have neither signs nor digits, nor capitals that look like small letters: all four are one.
  if (stroked === text && /^[\p{L}\p{M}\s]*$/u.test(seen)) return [parted];
  // Without any it would be the first one again.
  const signed = stroked !== text ? reveal(stroked) : /[@$€|!*]/.test(seen) ? seen : undefined;
  return once([
    // Signs part words, and so may digits: "15yo".
    parted,
    partedAtDigits(parted),
    // Signs are letters, unless a word ends with them.
    signed === undefined ? [] : wordsOf(gather(signed, OF_WORDS | SIGN), OF_WORDS | SIGN, false),
    // Signs are nothing, as in "pa-ge".
    wordsOf(gathered, OF_WORDS, true),
  ]);
}

function partedAtDigits(line: TextReading): TextReading {
  const words: TextWord[] = [];
  for (const { atDigits } of line) for (const word of atDigits) words.push(word);
  return words;
}

/** Readings without those that have the same words as one before. */
function once(readings: readonly TextReading[]): readonly TextReading[] {
  const different: TextReading[] = [];
  for (const reading of readings)
    if (different.length === 0 || (reading.length > 0 && !different.some((other) => areSame(reading, other))))
      different.push(reading);
  return different;
}

function areSame(one: TextReading, other: TextReading): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++)
    if (one[index] !== other[index] && one[index]?.letters !== other[index]?.letters) return false;
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
