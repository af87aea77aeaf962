import { isCapitalI } from "./lookalikes.ts";

/** What a character is, as far as words are told apart by it: a bit for each. */
export const LETTER = 1;
export const MARK = 2;
const NUMBER = 4;
/** `0` to `9`. */
export const DIGIT = 8;
/** A sign that is a letter, too. */
export const SIGN = 16;
/** A digit or sign that is read as a letter among letters. */
export const AS_LETTER_TOO = 32;
export const SPACE = 64;
export const PUNCTUATION = 128;
/** Chinese and hiragana, which are written without spaces. */
export const CHARACTER = 256;
export const KATAKANA = 512;
/** A capital I of any alphabet. */
export const CAPITAL_I = 1024;

/** Set for each that was looked at. */
const KNOWN = 2048;

/** What words are made of. */
export const OF_WORDS = LETTER | MARK | NUMBER;

const KINDS: readonly (readonly [bit: number, characters: RegExp])[] = [
  [LETTER, /\p{L}/u],
  [MARK, /\p{M}/u],
  [NUMBER, /\p{N}/u],
  [DIGIT, /\d/],
  [SIGN, /[@$€|!*]/],
  [AS_LETTER_TOO, /[0345789@$€!|]/],
  [SPACE, /\s/],
  [PUNCTUATION, /\p{P}/u],
  [CHARACTER, /[\p{sc=Han}\p{sc=Hiragana}]/u],
  [KATAKANA, /[\p{sc=Katakana}ー]/u],
];

const CAPITAL = /I|[^\p{ASCII}\P{Lu}]|\p{Nl}/u;

/** By the upper bits of a code point: what those 256 characters are, as far as it was asked for. */
const pages: (Uint16Array | undefined)[] = Array.from({ length: 0x1100 });

/** The bits of a character, by its code point. */
export function kindOf(code: number): number {
  const page = (pages[code >> 8] ??= new Uint16Array(256));
  return page[code & 0xff] || (page[code & 0xff] = lookAt(code));
}

function lookAt(code: number): number {
  const character = String.fromCodePoint(code);
  let bits = KNOWN;
  for (const [bit, characters] of KINDS) if (characters.test(character)) bits |= bit;
  return CAPITAL.test(character) && isCapitalI(character) ? bits | CAPITAL_I : bits;
}

/** The code point that stands at a place. */
export function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0xd800 || code >= 0xdc00 ? code : (text.codePointAt(at) ?? code);
}

/** The bits of the character at a place: none behind the end. */
export const kindAt = (text: string, at: number) => (at < text.length ? kindOf(codeAt(text, at)) : 0);

/** The bits of the character before a place: none at the beginning. */
export function kindBefore(text: string, at: number): number {
  if (at === 0) return 0;
  const pair = at > 1 ? codeAt(text, at - 2) : 0;
  return kindOf(pair > 0xffff ? pair : text.charCodeAt(at - 1));
}

/** How long a code point is in a text. */
export const lengthOf = (code: number) => (code > 0xffff ? 2 : 1);
