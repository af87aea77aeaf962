import { codeAt, DIGIT, kindAt, lengthOf, LETTER, MARK } from "./characters.ts";

/** A word parted where digits stand before or behind letters, unless there are letters on their other side: "15yo". */
export function partedAtDigits(word: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < word.length;) {
    const isDigits = (kindAt(word, at) & DIGIT) !== 0;
    const edge = endOfRun(word, at, isDigits ? DIGIT : LETTER | MARK);
    if (edge === at) {
      at += lengthOf(codeAt(word, at));
      continue;
    }
    const digits = isDigits ? edge : endOfRun(word, edge, DIGIT);
    const behind = kindAt(word, digits);
    if (isDigits ? (behind & LETTER) !== 0 : digits > edge && (behind & (LETTER | MARK)) === 0) {
      parts.push(word.slice(from, edge));
      from = edge;
    }
    at = endOfRun(word, edge, LETTER | MARK | DIGIT);
  }
  parts.push(word.slice(from));
  return parts;
}

function endOfRun(word: string, from: number, kinds: number): number {
  let at = from;
  while ((kindAt(word, at) & kinds) !== 0) at += lengthOf(codeAt(word, at));
  return at;
}
