/** A sign that could not be seen, or that turns what stands beside it around, but the two that scripts join letters by. */
export const UNSEEN = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** What turns the words after it around (Unicode, "Explicit Directional"), and what is no sign at all, but the end of a line. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]|(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** Somebody's words as they can stand among those of others: nothing in them turns what follows around. */
export const amongOthers = (words: string) =>
  words.replaceAll(TURNING, (sign) => (/[\u202A-\u2069]/u.test(sign) ? "" : " "));
