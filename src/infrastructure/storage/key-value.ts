import { jsonSerializer } from "keyv";
import { sql } from "kysely";
import type { Memory, SharedMemory } from "../../common/memory.ts";
import type { Database } from "./database.ts";
import { exclusive, exclusiveStatement, type LockName, rowAlone } from "./exclusive.ts";
import { prepared } from "./prepared.ts";
import { kvKey } from "./read-cache.ts";
import { currentTime } from "../../common/time.ts";

/** Where entries are: the database, or a transaction, in which everything is asked of it. */
type Entries = Pick<Database, "kysely"> & Partial<Pick<Database, "reads" | "keeper">>;

/** What a namespace holds that is not over. */
const liveIn = (kysely: Database["kysely"], namespace: string, now: number) =>
  kysely
    .selectFrom("kv")
    .select(["key", "value", "expires_at"])
    .where("namespace", "=", namespace)
    .where((kv) => kv.or([kv("expires_at", "is", null), kv("expires_at", ">", now)]));

/** The name of an entry. */
interface EntryName {
  readonly namespace: string;
  readonly key: string;
}

const readEntry = prepared((db, { namespace, key, now }: EntryName & { readonly now: number }) =>
  liveIn(db, namespace, now).where("key", "=", key),
);

/** An entry that is to be written. */
type NewEntry = EntryName & {
  readonly value: string;
  readonly expires_at: number | null;
  readonly now: number;
  readonly lock: LockName | null;
};

const COLUMNS = ["namespace", "key", "value", "expires_at"] as const;

const inserting = (db: Database["kysely"], { namespace, key, value, expires_at, lock }: NewEntry) =>
  db
    .insertInto("kv")
    .columns(COLUMNS)
    .expression(rowAlone(db, lock, [namespace, key, value, expires_at]));

const writeEntry = prepared((db, entry: NewEntry) =>
  inserting(db, entry).onConflict((known) => known.columns(["namespace", "key"]).doUpdateSet(itsNewValue)),
);

const addEntry = prepared((db, entry: NewEntry) =>
  inserting(db, entry).onConflict((known) =>
    known.columns(["namespace", "key"]).doUpdateSet(itsNewValue).where("kv.expires_at", "<=", entry.now),
  ),
);

const itsNewValue = {
  value: sql<string>`excluded.value`,
  expires_at: sql<number | null>`excluded.expires_at`,
};

const eraseEntry = prepared((db, { namespace, key }: EntryName) =>
  db.deleteFrom("kv").where("namespace", "=", namespace).where("key", "=", key),
);

/** One of the database's, whose entries can be written along with its rows. */
export interface StoredMemory extends SharedMemory {
  /** The same entries in a transaction: what is changed there is kept with all else in it, or not at all. */
  within(transaction: Pick<Database, "kysely">): Memory;
}

/**
 * A key-value store in the database. There is no fallback to memory: what cannot be read or written throws.
 * @param database the open database, which keeps in mind what it read; inside a transaction `{ kysely: transaction }`
 * @param namespace keeps the stores of different owners apart
 */
export function memory(database: Entries, namespace: string): StoredMemory {
  const entries = entriesOf(database, namespace);
  const inside = ({ kysely }: Pick<Database, "kysely">) => entriesOf({ kysely }, namespace);
  return {
    ...entries,
    within: inside,
    async once<T>(key: string, make: () => T, ttlMs?: number) {
      const known = await entries.get<T>(key);
      if (known !== undefined) return known;
      // Nobody writes between its look and its entry.
      return exclusive(database.kysely, [nameOf(namespace, key)], async (kysely) => {
        const within = inside({ kysely });
        const meanwhile = await within.get<T>(key);
        if (meanwhile !== undefined) return meanwhile;
        const made = make();
        await within.set(key, made, ttlMs);
        return made;
      });
    },
    async change<T>(key: string, change: (before: T | undefined) => T | undefined, ttlMs?: number) {
      await exclusive(database.kysely, [nameOf(namespace, key)], async (kysely) => {
        const within = inside({ kysely });
        const after = change(await within.get<T>(key));
        if (after !== undefined) await within.set(key, after, ttlMs);
      });
    },
  };
}

const nameOf = (namespace: string, key: string): LockName => `kv:${namespace}/${key}`;

/** A string that keyv marked begins with a colon. */
const MARKED = /(?:^|[:,[])":/;

/** A value as keyv writes it; read without looking at all of it again where nothing is marked. */
function valueIn(text: string): unknown {
  const { value } = (MARKED.test(text) ? jsonSerializer.parse(text) : JSON.parse(text)) as { value: unknown };
  return value;
}

function entriesOf({ kysely, reads, keeper }: Entries, namespace: string): Memory {
  /** @returns whether the statement wrote it */
  const write = async (statement: typeof writeEntry, key: string, value: unknown, ttlMs?: number) => {
    const { numAffectedRows = 0n } = await statement(kysely, {
      namespace,
      key,
      value: jsonSerializer.stringify({ value }),
      // As keyv had it: what is to be kept for no time at all is kept for good.
      expires_at: ttlMs === undefined || ttlMs <= 0 ? null : Math.ceil(currentTime() + ttlMs),
      now: currentTime(),
      // A transaction has named what it depends on.
      lock: kysely.isTransaction ? null : nameOf(namespace, key),
    });
    return numAffectedRows > 0n;
  };
  return {
    async get<T>(key: string) {
      const read = async () => (await readEntry(kysely, { namespace, key, now: currentTime() })).rows[0];
      const row = await (reads ? reads.get("kv", kvKey(namespace, key), read) : read());
      // An answer that was kept may be over by now.
      return row && (row.expires_at ?? Infinity) > currentTime() ? (valueIn(row.value) as T) : undefined;
    },
    async set(key, value, ttlMs) {
      await write(writeEntry, key, value, ttlMs);
    },
    async delete(key) {
      await exclusiveStatement(kysely, [nameOf(namespace, key)], (db) => eraseEntry(db, { namespace, key }));
    },
    add: (key, value, ttlMs) => write(addEntry, key, value, ttlMs),
    // A transaction is written, or not, by whoever began it.
    keep: (task) => (keeper ? keeper.keep(task) : task()),
    async entries<T>() {
      const rows = await liveIn(kysely, namespace, currentTime()).execute();
      return rows.map(({ key, value }): [string, T] => [key, valueIn(value) as T]);
    },
  };
}
