import { fold } from "./fold.ts";

/** Whether a text contains one of the words, as whole words, as far as a reader can tell. */
export function mentions(text: string, words: readonly string[]): boolean {
  const spaced = ` ${fold(text)} `;
  return words.some((word) => spaced.includes(` ${fold(word)} `));
}
