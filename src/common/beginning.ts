/** Made where it is needed first: that takes milliseconds. */
let segmenter: Intl.Segmenter | undefined;

/**
 * As much of a text from its beginning as may be kept, whole: between what people see as characters, and never with half of one,
 * which others refuse to read as JSON.
 * @param most how long it may be, in UTF-16 code units
 */
export function beginning(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  // And what follows, to see whether what ends there goes on.
  const near = whole.slice(0, most + 2);
  segmenter ??= new Intl.Segmenter();
  const seen = Array.from(segmenter.segment(near), ({ segment }) => segment);
  // A letter may have any number of marks.
  const parts = (seen[0]?.length ?? 0) > most ? Array.from(near) : seen;
  let kept = "";
  for (const part of parts) {
    if (kept.length + part.length > most) break;
    kept += part;
  }
  return kept;
}
