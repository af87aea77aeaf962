import { type Kysely, sql } from "kysely";
import { dialectOf } from "./dialect.ts";
import type { DatabaseSchema } from "./schema.ts";

/** As much of a `Database` as is needed here; that one needs this file. */
interface Erasable {
  readonly kysely: Kysely<DatabaseSchema>;
}

/**
 * Up to this size the file is written anew while people wait, in bytes: on a busy machine that took 8 to 27 ms for each
 * MB, and another process gives up a write after 5 s (`BUSY_TIMEOUT_MS`). Memory holds all of it meanwhile.
 */
const MAX_COMPACTED_BYTES = 128 * 1024 * 1024;

/**
 * Writes the log into the file and empties it: what was erased stands in the log until then. Where another process is
 * reading at this very moment, it is left for the next time. A server's log is its own.
 */
export async function emptyLog({ kysely }: Erasable): Promise<void> {
  if (!dialectOf(kysely).hasFiles) return;
  await sql`pragma wal_checkpoint(truncate)`.execute(kysely);
}

/**
 * Writes the whole file anew. Deleted rows are overwritten, but when SQLite moves rows from one page to another it may
 * leave a copy in a gap of the first; about one row in a hundred was found there. A server's files are its own.
 * @returns false where the file is too large for that while people wait
 */
export async function compact({ kysely }: Erasable): Promise<boolean> {
  if (!dialectOf(kysely).hasFiles) return true;
  const { rows } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(kysely);
  if ((rows[0]?.bytes ?? 0) > MAX_COMPACTED_BYTES) return false;
  await sql`vacuum`.execute(kysely);
  await emptyLog({ kysely });
  return true;
}

import { currentTime, steady } from "../../common/time.ts";

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
    clear(currentTime());
  };
}
