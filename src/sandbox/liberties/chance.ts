import { createHash } from "node:crypto";

/**
 * Chance that can be repeated: the same seed and labels give the same number.
 * @returns a number from 0 (inclusive) to 1 (exclusive)
 */
export function chance(seed: string, ...labels: readonly (string | number)[]): number {
  return (
    createHash("sha256")
      .update([seed, ...labels].join("\0"))
      .digest()
      .readUIntBE(0, 6) /
    2 ** 48
  );
}
