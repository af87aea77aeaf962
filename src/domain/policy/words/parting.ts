import {
  CHARACTER,
  codeAt,
  KATAKANA,
  kindBefore,
  kindOf,
  lengthOf,
  LETTER,
  SIGN,
  SPACE,
} from "./characters.ts";
import { characterWord, textWord, type TextWord } from "./text-words.ts";

/** What English contracts makes a word of what stands behind its apostrophe: "he's ex-army". */
const CONTRACTED = /'(?:s|t|d|m|re|ll|ve)(?!\p{L})/uy;

const APOSTROPHE = 0x27;
const BLANK = 0x20;

/** In place of a character: all of katakana. */
const ANY_KATAKANA = -1;

/**
 * The words of a line. Chinese and Japanese are written without spaces: each of their characters is a piece of a word,
 * with those that repeat it, and what is written in katakana is a word of its own.
 * @param letters the bits of what words are made of; they end with no sign
 * @param isLoose whether spaces alone part words: what else is no letter is nothing
 */
export function wordsOf(line: string, letters: number, isLoose: boolean): TextWord[] {
  const words: TextWord[] = [];
  const isEastern = /[\u3000-\uFFFF]/.test(line);
  let word = "";
  // Where what is to be added to the word begins, and which character repeats.
  let from = -1;
  let eastern = 0;
  for (let at = 0; at <= line.length;) {
    const code = at < line.length ? codeAt(line, at) : BLANK;
    const kind = kindOf(code);
    const isApostrophe = code === APOSTROPHE;
    const isLetter = (kind & letters) !== 0 || (isApostrophe && isContracted(line, at));
    const before = eastern;
    if (isEastern) eastern = (kind & CHARACTER) !== 0 ? code : (kind & KATAKANA) !== 0 ? ANY_KATAKANA : 0;
    const isParted = isLetter ? isApostrophe : isApostrophe || !isLoose || (kind & SPACE) !== 0;
    if (isParted || eastern !== before) {
      const ended = wordOf(line, word, from, at);
      if (ended) words.push(ended);
      from = -1;
      word = "";
    }
    if (isLetter) {
      if (from < 0) from = at;
    } else if (from >= 0) {
      word += line.slice(from, at);
      from = -1;
    }
    at += lengthOf(code);
  }
  return words;
}

/** Whether an apostrophe stands there that does not part words. */
function isContracted(line: string, at: number): boolean {
  CONTRACTED.lastIndex = at;
  return (kindBefore(line, at) & LETTER) !== 0 && CONTRACTED.test(line);
}

/**
 * The word that ends at a place, without the signs that it ends with.
 * @param beginning what of it was put together
 * @param from where the rest of it begins, if there is any
 */
function wordOf(line: string, beginning: string, from: number, to: number): TextWord | undefined {
  if (beginning === "" && from < 0) return undefined;
  if (beginning === "" && from === to - 1) {
    const code = line.charCodeAt(from);
    return (kindOf(code) & SIGN) !== 0 ? undefined : characterWord(code);
  }
  const letters = from < 0 ? beginning : beginning + line.slice(from, to);
  let end = letters.length;
  while (end > 0 && (kindOf(letters.charCodeAt(end - 1)) & SIGN) !== 0) end--;
  return end === 0 ? undefined : textWord(letters.slice(0, end));
}
