/** Of 128 bits, how many may differ between two looks of one picture; two pictures differ in 15 or more. See `lookOf`. */
const MOST_APART = 8;

const BITS = 128;
/** One more than may differ: of two looks of one picture at least one part is the same. */
const PARTS = MOST_APART + 1;
const PART_BITS = Math.floor(BITS / PARTS);

/** The parts of a look that it is found by: whole numbers, each part's its own. */
export function partsOf(look: string): readonly number[] {
  const bits = BigInt(`0x${look}`);
  const mask = (1n << BigInt(PART_BITS)) - 1n;
  return Array.from({ length: PARTS }, (_, part) => {
    const value = Number((bits >> BigInt(part * PART_BITS)) & mask);
    return part * (1 << PART_BITS) + value;
  });
}

/** Whether two looks are those of one picture. */
export function looksAlike(one: string, other: string): boolean {
  let apart = 0;
  for (let rest = BigInt(`0x${one}`) ^ BigInt(`0x${other}`); rest > 0n; rest &= rest - 1n) apart++;
  return apart <= MOST_APART;
}
