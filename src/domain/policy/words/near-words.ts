import { Meanings } from "./meanings.ts";
import { Trie } from "./trie.ts";

/** How long a word must be to be known with two neighbouring letters swapped, and with one left out. */
const LEAST_SWAPPED = 5;
const LEAST_LACKING = 8;

/** How long one may be. */
const MOST = 24;

/** Scripts whose words are too short for that. */
const OTHER = /[\u0600-\uFFFF]/;

/**
 * The meanings of words that one slip of the hand makes of this one: two neighbouring letters swapped, or one Latin
 * letter left out, neither the first nor the last. Tried at each letter as far as there are words that begin so.
 */
export function slipsOf(word: string, trie: Trie): Meanings | undefined {
  if (word.length < LEAST_SWAPPED || word.length > MOST || OTHER.test(word)) return undefined;
  const found: Meanings[] = [];
  const take = (node: number | undefined, rest: string) => {
    for (let index = 0; index < rest.length && node !== undefined; index++)
      node = trie.child(node, rest.charCodeAt(index));
    if (node === undefined) return;
    for (const meanings of [trie.whole(node), trie.open(node)]) if (meanings) found.push(meanings);
  };
  const mayLack = word.length >= LEAST_LACKING - 1 && word.length < MOST;
  let node = trie.child(Trie.ROOT, word.charCodeAt(0));
  for (let at = 1; at < word.length && node !== undefined; at++) {
    const rest = word.slice(at);
    const behind = trie.child(node, word.charCodeAt(at + 1));
    if (behind !== undefined) take(behind, rest.charAt(0) + rest.slice(2));
    if (mayLack) for (const child of trie.latinChildren(node)) take(child, rest);
    node = trie.child(node, word.charCodeAt(at));
  }
  return Meanings.of(found);
}
