import * as fc from "fast-check";
import { expect, it } from "vitest";
import { looksAlike, partsOf } from "../../../../src/domain/policy/lineage/look.ts";

const hex = (bits: bigint) => bits.toString(16).padStart(32, "0");
const bit = (at: number) => 1n << BigInt(at);
const look = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
/** Places of bits, each once. */
const places = (length: number) => fc.uniqueArray(fc.nat(127), { minLength: length, maxLength: length });
const flipped = (bits: bigint, at: readonly number[]) => at.reduce((all, place) => all ^ bit(place), bits);

it("is that of one picture where eight bits differ, and not where nine do", () => {
  fc.assert(
    fc.property(look, places(9), (bits, nine) => {
      expect(looksAlike(hex(bits), hex(bits))).toBe(true);
      expect(looksAlike(hex(bits), hex(flipped(bits, nine.slice(1))))).toBe(true);
      expect(looksAlike(hex(bits), hex(flipped(bits, nine)))).toBe(false);
    }),
  );
});

it("is found by at least one of nine parts where it is that of one picture", () => {
  const parts = new Set(partsOf(hex(0n)));
  // The worst that eight bits can do: one in each of eight parts.
  for (let left = 0; left < 9; left += 1) {
    const eight = Array.from({ length: 9 }, (_, part) => part * 14).filter((_, part) => part !== left);
    expect(partsOf(hex(flipped(0n, eight))).filter((part) => parts.has(part))).toHaveLength(1);
  }
});

it("has parts of fourteen bits that no other part may be", () => {
  const size = 2 ** 14;
  expect(partsOf(hex(0n))).toEqual(Array.from({ length: 9 }, (_, part) => part * size));
  expect(partsOf(hex((1n << 128n) - 1n))).toEqual(
    Array.from({ length: 9 }, (_, part) => (part + 1) * size - 1),
  );
  expect(partsOf(hex(bit(0) | bit(14 * 3 + 2)))).toEqual([
    1,
    size,
    2 * size,
    3 * size + 4,
    ...[4, 5, 6, 7, 8].map((part) => part * size),
  ]);
});
