import { createHash } from "node:crypto";
import type { Liberties } from "./liberties.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const WORD = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const BASE64 = `${WORD}+/`;
const URL_SAFE = `${WORD}-_`;
/** What a header can carry, and no more: the contract calls a key opaque (section 5, rule 2). */
const PRINTABLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join("");

/**
 * An account's key.
 * @param secret what it follows from
 */
export function keyOf(shape: Liberties["keys"], secret: string): string {
  const digest = createHash("sha256").update(secret).digest("hex");
  const drawn = (alphabet: string, length: number) => letters(alphabet, length, digest);
  switch (shape) {
    case "prefixed":
      return `rk_${digest.slice(0, 40)}`;
    case "short":
      return drawn(WORD, 16);
    case "long":
      return drawn(PRINTABLE, 200);
    case "padded":
      return `${drawn(BASE64, 43)}=`;
    case "dotted":
      return `${drawn(URL_SAFE, 20)}.${drawn(URL_SAFE, 60).slice(20)}.${drawn(URL_SAFE, 86).slice(60)}`;
    case "uuid":
      return [
        digest.slice(0, 8),
        digest.slice(8, 12),
        digest.slice(12, 16),
        digest.slice(16, 20),
        digest.slice(20, 32),
      ].join("-");
    case "letters":
      return drawn(LETTERS, 32);
    default:
      return shape satisfies never;
  }
}

/** Letters that follow from a seed; the alphabets are short enough that the remainder's bias does not matter. */
function letters(alphabet: string, length: number, seed: string): string {
  const bytes = Array.from({ length: Math.ceil(length / 32) }, (_, block) => [
    ...createHash("sha256").update(`${seed}\0${block}`).digest(),
  ]).flat();
  return bytes
    .slice(0, length)
    .map((byte) => alphabet[byte % alphabet.length])
    .join("");
}
