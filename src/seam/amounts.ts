/** Token amounts are decimals (section 2.1): nearer than this they are the same. */
export const HALF_A_CENT = 0.005;

/** Amounts have two places; so many are kept of odd ones. */
const PARTS = 1_000_000;

/**
 * The decimal that a sum or a difference of tokens stands for: binary fractions leave a tail (43.82000000000001), which machines read
 * as it is, and which makes another plural of one token.
 */
export const decimal = (tokens: number): number => {
  const rounded = Math.round(tokens * PARTS) / PARTS;
  // Nor is there a nothing below nothing, which would be told as -0.
  return rounded === 0 ? 0 : rounded;
};
