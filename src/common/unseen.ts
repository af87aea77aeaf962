/** A sign that could not be seen, or that turns what stands beside it around, but the two that scripts join letters by. */
export const UNSEEN = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
