import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { dialectOf } from "./dialect.ts";
import type { DatabaseSchema } from "./schema.ts";

/** What a transaction depends on besides the rows that it changes; whoever changes that names it too. */
export type LockName =
  /** What somebody has begun, and may begin. */
  | `user:${string}`
  /** The same of a group. */
  | `chat:${string}`
  /** What was told of a job, in its order. */
  | `job:${string}`
  /** A key's jobs that look the same from outside. */
  | `twin:${string}/${string}`
  /** The window of a rate in a scope. */
  | `rate:${string}/${string}`
  /** An entry of a key-value store. */
  | `kv:${string}/${string}`
  /** Where somebody wants to be told, and what they are still to be told there. */
  | `webhooks:${string}`
  /** Who needs files whose names begin so. */
  | `file:${string}`
  /** What is known of a picture that was made. */
  | `picture:${string}`
  /** The stored keys, and the secrets that open them. */
  | "vault"
  /** What people reported, and what was decided about it. */
  | "reports"
  /** Who runs Reelay. */
  | "operators"
  /** Which jobs are erased: each counts once in the sums. */
  | "erasing"
  /** Who works on jobs that nobody works on. */
  | "adopting"
  /** Which tables there are. */
  | "migrating";

type Db = Kysely<DatabaseSchema>;

/**
 * A transaction that runs alone among all that name one of the same things, in every process. SQLite has one writer in the
 * world, from the first statement on: there it runs alone among all. An engine with many writers shows each statement what was
 * committed before that statement (READ COMMITTED), so that what is read here stays true only if it is named.
 * @param names everything that `work` decides by and others may change, or that others decide by; no order is asked of them
 */
export function exclusive<T>(
  db: Db,
  names: readonly LockName[],
  work: (within: Transaction<DatabaseSchema>) => Promise<T>,
): Promise<T> {
  return atomically(db, async (within) => {
    if (names.length > 0 && !hasOneWriter(db)) await lock(within, names);
    return work(within);
  });
}

/**
 * The same for a single statement, which takes no transaction where there is one writer. Inside a transaction that has named
 * what it depends on, it is one of its statements.
 */
export function exclusiveStatement<T>(
  db: Db,
  names: readonly LockName[],
  statement: (within: Db) => Promise<T>,
): Promise<T> {
  return hasOneWriter(db) || db.isTransaction ? statement(db) : exclusive(db, names, statement);
}

/**
 * A row to insert that is the same whatever was there, so that nothing has to be read for it under a name: the statement waits for the
 * name itself, and sees what was committed before it began to wait.
 * @param name null in a transaction that has named all that it depends on
 * @param values in the order of the columns
 */
export function rowAlone(db: Db, name: LockName | null, values: readonly unknown[]): RawBuilder<unknown> {
  const row = sql.join(values);
  return hasOneWriter(db)
    ? sql`values (${row})`
    : // Where the name is null, nothing is waited for.
      sql`select ${row} from pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/**
 * A transaction that depends on nothing but rows that it has changed, or read with {@link held} or {@link claimed}: all of it is
 * done, or nothing.
 */
export function atomically<T>(db: Db, work: (within: Transaction<DatabaseSchema>) => Promise<T>): Promise<T> {
  const transaction = db.transaction();
  return (hasOneWriter(db) ? transaction : transaction.setIsolationLevel("read committed")).execute(work);
}

/** A query whose rows can be locked. */
interface Lockable<Query> {
  forUpdate(): Query;
  skipLocked(): Query;
}

/** Rows that nobody else changes until the transaction has ended. */
export function held<Query extends Lockable<Query>>(db: Db, rows: Query): Query {
  return hasOneWriter(db) ? rows : rows.forUpdate();
}

/** Rows that are to be taken, but those that somebody else is taking: of several who ask at once, each gets others. */
export function claimed<Query extends Lockable<Query>>(db: Db, rows: Query): Query {
  return hasOneWriter(db) ? rows : rows.forUpdate().skipLocked();
}

const hasOneWriter = (db: Db) => dialectOf(db).hasOneWriter;

/** Until the transaction has ended; in one order, so that no two wait for each other. */
async function lock(within: Transaction<DatabaseSchema>, names: readonly LockName[]): Promise<void> {
  const sorted = [...new Set(names)].toSorted();
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${sorted}::text[]) as name`.execute(
    within,
  );
}
