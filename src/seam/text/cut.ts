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
