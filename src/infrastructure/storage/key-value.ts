import {
  jsonSerializer,
  Keyv,
  type KeyvSerializationAdapter,
  keyvStorageCapability,
  type KeyvStorageAdapter,
} from "keyv";
import { sql } from "kysely";
import type { Memory, SharedMemory } from "../../common/memory.ts";
import type { Database } from "./database.ts";
import { exclusive, exclusiveStatement, type LockName, rowAlone } from "./exclusive.ts";
import { prepared } from "./prepared.ts";
import { kvKey } from "./read-cache.ts";
import { currentTime } from "../../common/time.ts";
import type { RowStretch } from "./stretches.ts";

/** Where entries are: the database, or a transaction, in which everything is asked of it. */
type Entries = Pick<Database, "kysely"> & Partial<Pick<Database, "reads" | "keeper">>;

/**
 * What keyv needs of a store for {@link memory}. The rows' own expiry decides what is read, so that keyv is
 * told not to check it a second time.
 */
class KvTableStore implements Pick<
  KeyvStorageAdapter,
  "namespace" | "capabilities" | "get" | "set" | "delete" | "iterator"
> {
  readonly namespace: string;
  readonly #kysely: Database["kysely"];
  readonly #reads: Database["reads"] | undefined;

  constructor({ kysely, reads }: Entries, namespace: string) {
    this.#kysely = kysely;
    this.#reads = reads;
    this.namespace = namespace;
  }

  /** Without this, keyv would hand over relative lifetimes instead of times. */
  get capabilities() {
    return keyvStorageCapability(this);
  }

  async get(key: string): Promise<string | undefined> {
    const { namespace } = this;
    const read = async () => {
      const { rows } = await readEntry(this.#kysely, { namespace, key, now: currentTime() });
      return rows[0];
    };
    const row = await (this.#reads ? this.#reads.get("kv", kvKey(namespace, key), read) : read());
    // An answer that was kept may be over by now.
    return row && (row.expires_at ?? Number.POSITIVE_INFINITY) > currentTime() ? row.value : undefined;
  }

  async set(key: string, value: unknown, expires?: number): Promise<boolean> {
    return this.write(writeEntry, key, value, expires);
  }

  /** @returns whether the statement wrote it */
  protected async write(
    statement: typeof writeEntry,
    key: string,
    value: unknown,
    expires?: number,
  ): Promise<boolean> {
    const { namespace } = this;
    const entry = { namespace, key, value: String(value), expires_at: expires ?? null, now: currentTime() };
    // A transaction has named what it depends on.
    const lock = this.#kysely.isTransaction ? null : nameOf(namespace, key);
    const { numAffectedRows = 0n } = await statement(this.#kysely, { ...entry, lock });
    return numAffectedRows > 0n;
  }

  async delete(key: string): Promise<boolean> {
    const { namespace } = this;
    const { numAffectedRows = 0n } = await exclusiveStatement(this.#kysely, [nameOf(namespace, key)], (db) =>
      eraseEntry(db, { namespace, key }),
    );
    return numAffectedRows > 0n;
  }

  async *iterator<T>(): AsyncGenerator<(string | Awaited<T> | undefined)[], void> {
    // Read at once: a query left open would keep every other one waiting.
    for (const { key, value } of await liveIn(this.#kysely, this.namespace, currentTime()).execute())
      yield [key, value];
  }
}

/** The same, where `set` writes what there is none of, and says whether that was so. */
class AddingStore extends KvTableStore {
  override set(key: string, value: unknown, expires?: number): Promise<boolean> {
    return this.write(addEntry, key, value, expires);
  }
}

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

/** The key of the entry that has so many after it of those before another, for `stretches`. */
export async function keyAt(
  { kysely }: Pick<Database, "kysely">,
  namespace: string,
  before: string | undefined,
  after: number,
): Promise<string | undefined> {
  const live = liveIn(kysely, namespace, currentTime());
  const older = before === undefined ? live : live.where("key", "<", before);
  return (await older.orderBy("key", "desc").limit(1).offset(after).executeTakeFirst())?.key;
}

/** The entries of a stretch: all of a namespace's at once would keep others waiting. */
export async function entriesIn<T>(
  { kysely }: Pick<Database, "kysely">,
  namespace: string,
  { from, before }: RowStretch<string>,
): Promise<[key: string, value: T][]> {
  let live = liveIn(kysely, namespace, currentTime());
  if (from !== undefined) live = live.where("key", ">=", from);
  if (before !== undefined) live = live.where("key", "<", before);
  const rows = await live.execute();
  return rows.map(({ key, value }) => [key, (parse(value) as { readonly value: T }).value]);
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

/** No key has it: what begins with a prefix stands before the prefix with it. */
const LAST_SIGN = "\u{10ffff}";

/** A string that keyv marked begins with a colon. */
const MARKED = /(?:^|[:,[])":/;

/** Reads what keyv wrote, without looking at every value again where none is marked. */
const parse = (text: string) => (MARKED.test(text) ? jsonSerializer.parse(text) : JSON.parse(text));

/** As keyv writes it. */
const SERIALIZATION: KeyvSerializationAdapter = {
  stringify: (value) => jsonSerializer.stringify(value),
  parse,
};

/** Keyv's are made once for a database: one costs as much as to ask it for an entry. */
const known = new WeakMap<Entries, Map<string, Memory>>();

function entriesOf(database: Entries, namespace: string): Memory {
  const of = known.get(database) ?? new Map<string, Memory>();
  known.set(database, of);
  const entries = of.get(namespace) ?? openEntries(database, namespace);
  of.set(namespace, entries);
  return entries;
}

function openEntries(database: Entries, namespace: string): Memory {
  const { keeper } = database;
  // keyv reports a store's error by its "error" event, and throws it as long as nobody listens there.
  const over = (store: KvTableStore) =>
    new Keyv({ store, checkExpired: false, serialization: SERIALIZATION });
  const keyv = over(new KvTableStore(database, namespace));
  let adding: Keyv | undefined;
  return {
    get: <T>(key: string) => keyv.get<T>(key),
    async set(key, value, ttlMs) {
      await keyv.set(key, value, ttlMs);
    },
    async delete(key) {
      await keyv.delete(key);
    },
    add(key, value, ttlMs) {
      adding ??= over(new AddingStore(database, namespace));
      return adding.set(key, value, ttlMs);
    },
    // A transaction is written, or not, by whoever began it.
    keep: (write) => (keeper ? keeper.keep(write) : write()),
    async entries<T>(prefix?: string) {
      if (prefix !== undefined)
        return entriesIn<T>(database, namespace, { from: prefix, before: prefix + LAST_SIGN });
      const entries: [string, T][] = [];
      for await (const entry of keyv.iterator()) entries.push(entry);
      return entries;
    },
  };
}
