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
  /** Takes what the letters from a place on lead to, behind a node. */
  const take = (from: number | undefined, rest: number) => {
    let node = from;
    for (let index = rest; index < word.length && node !== undefined; index++)
      node = trie.child(node, word.charCodeAt(index));
    if (node === undefined) return;
    for (const meanings of [trie.whole(node), trie.open(node)]) if (meanings) found.push(meanings);
  };
  const mayLack = word.length >= LEAST_LACKING - 1 && word.length < MOST;
  let node = trie.child(Trie.ROOT, word.charCodeAt(0));
  for (let at = 1; at < word.length && node !== undefined; at++) {
    const swapped = trie.child(node, word.charCodeAt(at + 1));
    if (swapped !== undefined) take(trie.child(swapped, word.charCodeAt(at)), at + 2);
    if (mayLack) for (const child of trie.latinChildren(node)) take(child, at);
    node = trie.child(node, word.charCodeAt(at));
  }
  return Meanings.of(found);
}
