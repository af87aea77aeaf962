/** Amounts have two places; so many are kept of odd ones. */
const PARTS = 1_000_000;

/**
 * The decimal that an amount of tokens, a sum or a difference of them stands for (section 2.1): binary fractions leave a tail
 * (43.82000000000001), which machines read as it is, and which makes another plural of one token. Nothing is changed by more than
 * half of a millionth.
 */
export const decimal = (tokens: number): number => {
  const parts = Math.round(tokens * PARTS);
  // Such a number has no places to spare for a tail.
  if (!Number.isSafeInteger(parts)) return tokens;
  // Nor is there a nothing below nothing, which would be told as -0.
  return parts === 0 ? 0 : parts / PARTS;
};
