import { codeAt, kindAt, kindOf, lengthOf, SPACE } from "./characters.ts";

/** Three words that are one letter each; they begin and end. */
const LEAST_ENDS = 6;

/**
 * Puts words together that were spread into letters, "p a g e  t w o": a wider gap says where each ends. Where none
 * does they stay in pieces.
 * @param letters the bits of what words are made of
 */
export function gather(text: string, letters: number): string {
  let gathered = "";
  let copied = 0;
  // Where words begin and end that are one letter, or one that is repeated, with none of more letters between them.
  let row: number[] = [];
  for (let at = 0; at <= text.length;) {
    const first = codeAt(text, at);
    const from = at;
    at += lengthOf(first);
    if (from < text.length && (kindOf(first) & letters) === 0) continue;
    let isOne = from < text.length;
    for (; (kindAt(text, at) & letters) !== 0; at += lengthOf(codeAt(text, at)))
      if (codeAt(text, at) !== first) isOne = false;
    if (isOne) row.push(from, at);
    else if (row.length > 0) {
      const spread = row.length < LEAST_ENDS ? undefined : together(text, row);
      if (spread !== undefined) {
        gathered += text.slice(copied, row[0]) + spread;
        copied = row.at(-1) ?? copied;
      }
      row = [];
    }
  }
  return copied === 0 ? text : gathered + text.slice(copied);
}

/** The letters without the narrowest gaps between them, unless all are as wide. */
function together(text: string, row: readonly number[]): string | undefined {
  const widths: number[] = [];
  for (let index = 1; index < row.length - 1; index += 2)
    widths.push(widthOf(text, row[index] ?? 0, row[index + 1] ?? 0));
  const least = widths.reduce((one, other) => Math.min(one, other));
  if (widths.every((width) => width === least)) return undefined;
  let letters = text.slice(row[0], row[1]);
  for (let index = 0; index < widths.length; index++) {
    if (widths[index] !== least) letters += " ";
    letters += text.slice(row[2 * index + 2], row[2 * index + 3]);
  }
  return letters;
}

/** Spaces part more than signs do, however many those are: "p.a.g.e. t.w.o". No text is as long (section 4.12). */
const WIDTH_OF_SPACE = 100_000;

function widthOf(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++)
    if ((kindOf(text.charCodeAt(at)) & SPACE) !== 0) return to - from + WIDTH_OF_SPACE;
  return to - from;
}
