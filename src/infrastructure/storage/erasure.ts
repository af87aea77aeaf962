import { sql } from "kysely";
import type { Database } from "./database.ts";

/**
 * Up to this size the file is written anew while people wait, in bytes: on a busy machine that took 8 to 27 ms for each
 * MB, and another process gives up a write after 5 s (`BUSY_TIMEOUT_MS`).
 */
const MAX_COMPACTED_BYTES = 128 * 1024 * 1024;

/**
 * Writes the log into the file and empties it: what was erased stands in the log until then. Where another process is
 * reading at this very moment, it is left for the next time.
 */
export async function emptyLog({ kysely }: Pick<Database, "kysely">): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(kysely);
}

/**
 * Writes the whole file anew. Deleted rows are overwritten, but when SQLite moves rows from one page to another it may
 * leave a copy in a gap of the first; about one row in a hundred was found there.
 * @returns false where the file is too large for that while people wait
 */
export async function compact({ kysely }: Pick<Database, "kysely">): Promise<boolean> {
  const { rows } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(kysely);
  if ((rows[0]?.bytes ?? 0) > MAX_COMPACTED_BYTES) return false;
  await sql`vacuum`.execute(kysely);
  await emptyLog({ kysely });
  return true;
}
