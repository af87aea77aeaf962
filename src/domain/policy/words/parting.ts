import {
  CHARACTER,
  codeAt,
  DIGIT,
  KATAKANA,
  kindAt,
  kindBefore,
  kindOf,
  lengthOf,
  LETTER,
  MARK,
  SIGN,
  SPACE,
} from "./characters.ts";

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
export function wordsOf(line: string, letters: number, isLoose: boolean): string[] {
  const words: string[] = [];
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
      if (from >= 0) word += line.slice(from, at);
      from = -1;
      word = withoutSignsBehind(word);
      if (word !== "") words.push(word);
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

function withoutSignsBehind(word: string): string {
  let end = word.length;
  while (end > 0 && (kindOf(word.charCodeAt(end - 1)) & SIGN) !== 0) end--;
  return end === word.length ? word : word.slice(0, end);
}

/** Words parted where digits stand before or behind letters, unless there are letters on their other side: "15yo". */
export function partedAtDigits(words: readonly string[]): string[] {
  const parted: string[] = [];
  for (const word of words) {
    let from = 0;
    for (let at = 0; at < word.length;) {
      const isDigits = (kindAt(word, at) & DIGIT) !== 0;
      const edge = endOfRun(word, at, isDigits ? DIGIT : LETTER | MARK);
      const digits = isDigits ? edge : endOfRun(word, edge, DIGIT);
      const behind = kindAt(word, digits);
      if (
        edge > at &&
        (isDigits ? (behind & LETTER) !== 0 : digits > edge && (behind & (LETTER | MARK)) === 0)
      ) {
        parted.push(word.slice(from, edge));
        from = edge;
      }
      at = edge > at ? endOfRun(word, edge, LETTER | MARK | DIGIT) : at + lengthOf(codeAt(word, at));
    }
    parted.push(from === 0 ? word : word.slice(from));
  }
  return parted;
}

function endOfRun(word: string, from: number, kinds: number): number {
  let at = from;
  while ((kindAt(word, at) & kinds) !== 0) at += lengthOf(codeAt(word, at));
  return at;
}
