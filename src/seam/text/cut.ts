let segmenter: Intl.Segmenter | undefined;

/** Made where it is needed first: that takes milliseconds. */
const segments = () => (segmenter ??= new Intl.Segmenter());

/**
 * As much of a text from its beginning as may be kept, without a sign that it was cut, such as of a name: between what people see as characters, and never with half of one,
 * which others refuse to read as JSON.
 * @param most how long it may be, in UTF-16 code units
 */
export function beginning(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  // And what follows, to see whether what ends there goes on.
  const near = whole.slice(0, most + 2);
  const seen = Array.from(segments().segment(near), ({ segment }) => segment);
  // A letter may have any number of marks.
  const parts = (seen[0]?.length ?? 0) > most ? Array.from(near) : seen;
  let kept = "";
  for (const part of parts) {
    if (kept.length + part.length > most) break;
    kept += part;
  }
  return kept;
}

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
  for (const { segment } of segments().segment(text)) {
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
