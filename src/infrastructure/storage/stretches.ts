import { setImmediate as others } from "node:timers/promises";

/** So many rows are looked at before others have their turn: SQLite keeps the whole process while it looks. */
export const STRETCH = 2_000;

/** Rows of a table by what they sort by, which each has alone: from one on, and before another. What is left out is no bound. */
interface Stretch<Key> {
  readonly from: Key | undefined;
  readonly before: Key | undefined;
}

/**
 * Cuts rows into stretches of {@link STRETCH}, from the last on. Others have their turn after each.
 * @param keyAt the key of the row that has so many after it of those before another; undefined where there is none
 */
export async function* stretches<Key>(
  keyAt: (before: Key | undefined, after: number) => Promise<Key | undefined>,
): AsyncGenerator<Stretch<Key>> {
  let before: Key | undefined;
  do {
    const from = await keyAt(before, STRETCH - 1);
    yield { from, before };
    before = from;
    await others();
  } while (before !== undefined);
}
