import { work } from "./work.ts";
import type { WordTree } from "./word-tree.ts";

/** What may stand between two words that are written as one, as German makes them. */
const LINKS = ["", "s", "n", "r", "y", "e", "en", "er", "ey", "es"];

/** How short words may be among joined ones: in some language most syllables mean something. */
const LEAST_PART = 4;
const SHORT_PARTS = new Set(["sex", "kid", "boy", "her", "his", "him", "the", "off", "all"]);

/** How long the whole must be. */
export const LEAST_JOINED = 6;

/** How far a word is read: more is made of several by nobody. */
const MOST_JOINED = 512;

/**
 * The words that one is made of, where it is made of known ones alone: "makehernaked", "nacktkind". Of several ways the
 * one of the fewest words. The steps at a letter are no more than the longest word has.
 * @returns the word alone where it is one, or holds what is none
 */
export function partsOf(word: string, tree: WordTree): readonly string[] {
  if (word.length < LEAST_JOINED || word.length > MOST_JOINED || /\d|['*]/.test(word)) return [word];
  if (tree.lengthsAt(word, 0).length === 0) return [word];
  // By letter: how few words lead there, and where the last one begins and ends.
  const least: number[] = [0];
  const last: { readonly from: number; readonly to: number }[] = [];
  for (let at = 0; at < word.length; at++) {
    const parts = least[at];
    if (parts === undefined) continue;
    for (const length of tree.lengthsAt(word, at)) {
      if (length < LEAST_PART && !SHORT_PARTS.has(word.slice(at, at + length))) continue;
      const to = at + length;
      for (const link of LINKS) {
        work.steps++;
        const behind = to + link.length;
        // A link costs something, so that "kindern" is no "kinder" with one.
        const cost = parts + 1 + (link === "" ? 0 : 0.5);
        if (!word.startsWith(link, to) || cost >= (least[behind] ?? Infinity)) continue;
        if (behind === word.length && link !== "") continue;
        least[behind] = cost;
        last[behind] = { from: at, to };
      }
    }
  }
  const parts: string[] = [];
  for (let part = last[word.length]; part; part = last[part.from])
    parts.unshift(word.slice(part.from, part.to));
  return parts.length > 1 ? parts : [word];
}
