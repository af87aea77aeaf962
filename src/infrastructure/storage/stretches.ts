import { setImmediate as others } from "node:timers/promises";

/** So many rows are looked at before others have their turn: SQLite keeps the whole process while it looks. */
export const STRETCH = 2_000;

/** Rows of a table by what they sort by, which each has alone: from one on, and before another. What is left out is no bound. */
export interface RowStretch<Key> {
  readonly from: Key | undefined;
  readonly before: Key | undefined;
}

/**
 * Cuts rows into stretches, from the last on. Others have their turn after each.
 * @param keyAt the key of the row that has so many after it of those before another; undefined where there is none
 * @param most rows in each: fewer where each costs more than a look
 */
export async function* stretches<Key>(
  keyAt: (before: Key | undefined, after: number) => Promise<Key | undefined>,
  most = STRETCH,
): AsyncGenerator<RowStretch<Key>> {
  let before: Key | undefined;
  do {
    const from = await keyAt(before, most - 1);
    yield { from, before };
    before = from;
    await others();
  } while (before !== undefined);
}
