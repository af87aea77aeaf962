import { appendFileSync, readFileSync } from "node:fs";
import { randomInt } from "node:crypto";

/** Every seed that a test was ever found to fail with, one a line; it is added to by a run that fails. */
const KEPT = new URL("kept.txt", import.meta.url);

/** Tried in each run, so that what one run says of a commit the next one says, too. */
const USUAL = [1, 2, 7, 8];

/** How many more are drawn, by whoever looks for what no run has found yet. */
const COUNT = Number(process.env["REELAY_TEST_SEEDS"] ?? 0);

/** The seeds of this run: those that ever failed, the usual and drawn ones; `REELAY_TEST_SEED` is the only one, where it is set. */
export function seedsOfRun(): readonly number[] {
  const only = process.env["REELAY_TEST_SEED"];
  if (only !== undefined) return [Number(only)];
  return [...new Set([...kept(), ...USUAL, ...Array.from({ length: COUNT }, () => randomInt(2 ** 31))])];
}

/** Keeps a seed that a test failed with. */
export function keep(seed: number): void {
  if (!kept().includes(seed)) appendFileSync(KEPT, `${seed}\n`);
}

function kept(): readonly number[] {
  return readFileSync(KEPT, "utf8").split("\n").filter(Boolean).map(Number);
}
