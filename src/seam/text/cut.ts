/** For adapters: what is cut without a sign of it, such as a name. */
export { beginning } from "../../common/beginning.ts";

const codePoints = (text: string) => Array.from(text).length;

/**
 * A text cut so that it fits, with a sign that it was cut, and between what people see as characters.
 * @param limit the longest that is taken
 * @param length how that is counted, where not in code points; of a whole no more than of its parts together
 */
export function cut(text: string, limit: number, length: (text: string) => number = codePoints): string {
  if (length(text) <= limit) return text;
  let kept = "";
  let room = limit - length("…");
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    room -= length(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** White space, signs that show nothing, a blank pattern of Braille, and the sign for what cannot be read. */
const SAYS_NOTHING = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\uFFFD]*$/u;

/** Somebody's words without what stands around them; none where nobody could see any: nothing that could be paid for. */
export const seenWords = (words: string) => (SAYS_NOTHING.test(words) ? "" : words.trim());
