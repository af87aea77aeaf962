/** Finds entries of a catalogue by words: pure. */
import { distance } from "fastest-levenshtein";
import type { Suggestion } from "../../../../../src/seam/fields.ts";

/** Words as long as this may have one letter wrong, and twice as long ones two: shorter ones are all alike. */
const SLIP_LENGTH = 3;

/** The entries that have every word in them; where there is none, those that have words nearly like them. */
export function search(entries: readonly Suggestion[], sought: string): readonly Suggestion[] {
  const words = wordsOf(sought);
  const texts = new Map(entries.map((entry) => [entry, textOf(entry)]));
  const found = (fits: (text: string, word: string) => boolean) =>
    entries.filter((entry) => words.every((word) => fits(texts.get(entry) ?? "", word)));
  const exact = found((text, word) => text.includes(word));
  return exact.length > 0 ? exact : found((text, word) => wordsOf(text).some((one) => isNear(one, word)));
}

/**
 * Also while a word is still being typed: then the others are cut to its length. Hardly anybody errs in the first letter,
 * and short words that differ there are others: "zom" is "zoom", not "from" or "home".
 */
function isNear(word: string, typed: string): boolean {
  if (word[0] !== typed[0]) return false;
  const slips = Math.min(2, Math.floor(typed.length / SLIP_LENGTH));
  return [word, word.slice(0, typed.length)].some((one) => distance(one, typed) <= slips);
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

function textOf({ title, description, category }: Suggestion): string {
  return `${title} ${description ?? ""} ${category ?? ""}`.toLowerCase();
}
