import { steady } from "../../common/time.ts";

/** The least time between two clearings, in milliseconds. */
const INTERVAL_MS = 60_000;

/** How a statement begins that writes an entry of a key-value store. */
const WRITES = /^insert into "kv"/;

/**
 * Clears away the key-value stores' entries whose time is over, with the next one that is written, whoever does it: also in a
 * transaction, as some write in nothing else.
 * @param clear erases those that were over at a time, in milliseconds since 1970
 * @returns is to be told of every statement before it is run
 */
export function clearingExpired(clear: (now: number) => void): (sql: string) => void {
  let clearedAt = 0;
  return (sql) => {
    if (!WRITES.test(sql)) return;
    const now = steady();
    if (now - clearedAt < INTERVAL_MS) return;
    clearedAt = now;
    clear(Date.now());
  };
}
