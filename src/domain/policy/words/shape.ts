import { AS_LETTER_TOO, kindAt, LETTER } from "./characters.ts";

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

/**
 * The one way to write what can be written in several: digits and signs as letters, and what is repeated thrice at most.
 * A number stays a number: what has no letter in it is no word.
 */
export const shape = (words: string) => words.split(" ").map(shapeOf).join(" ");

/** The {@link shape} of one word. */
export function shapeOf(word: string): string {
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
