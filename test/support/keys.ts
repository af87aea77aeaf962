import { createHash } from "node:crypto";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const MIXED = LOWER + LOWER.toUpperCase() + DIGITS;

/** Numbers drawn from a seed: the same ones for the same seed. */
export function drawn(seed: string): (below: number) => number {
  let count = 0;
  return (below) => {
    count += 1;
    return createHash("sha256").update(`${seed}\0${count}`).digest().readUInt32LE() % below;
  };
}

type Draw = ReturnType<typeof drawn>;

const of = (draw: Draw, alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet.charAt(draw(alphabet.length))).join("");

/** Keys in every shape that "one opaque token" (section 5) leaves open and services use. */
export const KEY_SHAPES: Readonly<Record<string, (draw: Draw) => string>> = {
  "hexadecimal, 32": (draw) => of(draw, HEX, 32),
  "hexadecimal, 64": (draw) => of(draw, HEX, 64),
  "base62, 20": (draw) => of(draw, MIXED, 20),
  "base62, 40": (draw) => of(draw, MIXED, 40),
  base64: (draw) => `${of(draw, `${MIXED}+/`, 43)}=`,
  base64url: (draw) => of(draw, `${MIXED}-_`, 43),
  base36: (draw) => of(draw, LOWER + DIGITS, 28),
  base32: (draw) => of(draw, `${LOWER.toUpperCase()}234567`, 32),
  "with a prefix": (draw) => `sk-live_${of(draw, MIXED, 32)}`,
  "with dots": (draw) => [12, 16, 20].map((length) => of(draw, MIXED, length)).join("."),
  "with a colon": (draw) => `${of(draw, DIGITS, 9)}:${of(draw, `${MIXED}_-`, 35)}`,
  "in groups": (draw) => Array.from({ length: 5 }, () => of(draw, LOWER.toUpperCase() + DIGITS, 5)).join("-"),
  "very long": (draw) => of(draw, `${MIXED}._-`, 400),
};

/** What no guess tells from words, unless nothing else is said: only having seen them does. */
export const PLAIN_SHAPES: Readonly<Record<string, (draw: Draw) => string>> = {
  "of words": (draw) => ["correct", "horse", "battery", "staple", of(draw, DIGITS, 3)].join("-"),
  "of digits": (draw) => of(draw, DIGITS, 24),
  "a UUID": (draw) => [8, 4, 4, 4, 12].map((length) => of(draw, HEX, length)).join("-"),
  "base62, 16": (draw) => of(draw, MIXED, 16),
  short: (draw) => of(draw, MIXED, 9),
};
