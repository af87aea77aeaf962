import { randomInt } from "node:crypto";
import { SEED } from "../../common/contract.ts";

/** The seed that a job is made with: the one that was asked for, or a random one, so that its record can tell it. */
export function drawnSeed(asked: number = SEED.random): number {
  return asked === SEED.random ? randomInt(2 ** 31) : asked;
}
