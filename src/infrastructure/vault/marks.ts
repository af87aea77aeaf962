/** As many characters of a key's beginning go into its mark; no key is shorter. */
export const MARKED_CHARACTERS = 8;

/** Where a text may hold something, found by the mark of its beginning. */
export interface Marked<T> {
  readonly at: number;
  readonly entries: readonly T[];
}

/**
 * The mark of a key's beginning: 32 bits that say little about it, and nothing without the salt. It moves along a text
 * at the price of one multiplication a character, however many keys are looked for.
 * @param salt odd, secret
 */
export function markOf(text: string, salt: number): number {
  let mark = 0;
  for (let i = 0; i < MARKED_CHARACTERS; i += 1) mark = (Math.imul(mark, salt) + text.charCodeAt(i)) | 0;
  return mark;
}

/** Every place of a text that begins with the mark of something. Linear in the text's length. */
export function* placesMarked<T>(
  text: string,
  salt: number,
  marked: ReadonlyMap<number, readonly T[]>,
): Generator<Marked<T>> {
  if (text.length < MARKED_CHARACTERS || marked.size === 0) return;
  let leaving = 1;
  for (let i = 1; i < MARKED_CHARACTERS; i += 1) leaving = Math.imul(leaving, salt);
  let mark = markOf(text, salt);
  for (let at = 0; ; at += 1) {
    const entries = marked.get(mark);
    if (entries) yield { at, entries };
    const next = at + MARKED_CHARACTERS;
    if (next >= text.length) return;
    const rest = (mark - Math.imul(text.charCodeAt(at), leaving)) | 0;
    mark = (Math.imul(rest, salt) + text.charCodeAt(next)) | 0;
  }
}
