import { chmodSync, closeSync, openSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { Kysely, sql, type SqliteDatabase } from "kysely";
import { type Bell, NO_BELL } from "../../common/bell.ts";
import { checkpointThread, Checkpointer, PAGES_WITHOUT_HELP } from "./checkpointer.ts";
import { newerDatabase } from "./dialect.ts";
import { clearingExpired } from "./erasure.ts";
import { GroupCommitDialect } from "./group-commit.ts";
import { checking, Keeper } from "./keeper.ts";
import { MIGRATIONS } from "./migrations.ts";
import { type Change, changeOf, ReadCache } from "./read-cache.ts";
import type { DatabaseSchema } from "./schema.ts";
import { asStorageError, flushFailed, isBusy, StoredFile } from "./stored-file.ts";
import { makeFolder } from "../../common/disk.ts";

/** The open database. Several processes may have the same file open. */
export interface Database {
  readonly kysely: Kysely<DatabaseSchema>;
  /** What hardly changes is read through it. */
  readonly reads: ReadCache;
  /**
   * Whether it keeps what it is given, tried out by writing and reading; however often it is asked, once a second. Damage that any
   * statement ran into counts until the whole file was read without it, once a minute at most.
   * @throws ReelayError `storage_down` where it does not; so does every statement that would write
   */
  check(): Promise<void>;
  /** Whether this version works with its tables: another process may have brought them to a newer one meanwhile. */
  fits(): Promise<boolean>;
  /** Writes what cannot be undone outside until it is written. */
  readonly keeper: Keeper;
  /** Tells other processes where to look. */
  readonly bell: Bell;
  /** How many steps of its migrations this process knows. */
  readonly schema: number;
  close(): Promise<void>;
}

/** What a statement says that had nothing to do. */
const NOTHING_DONE = { changes: 0, lastInsertRowid: 0 } as const;

/**
 * How long a writer waits for another process's transaction, in milliseconds, and how long where the last one waited in vain: this
 * process stands still meanwhile.
 */
const BUSY_TIMEOUT_MS = { usual: 5_000, inVain: 50 } as const;

/**
 * Opens the database, making or migrating it as needed. The file is readable by its owner only, and so is
 * its folder when it is made here.
 * @param path of the SQLite file
 * @param sync makes what the log holds survive a power cut
 * @param lockMs how long a writer waits for another process's transaction, in milliseconds
 * @param startThread starts the thread that copies the log into the file
 * @throws Error when the file is not a database or cannot be written; ConfigError when it comes from a newer Reelay
 */
export async function openDatabase(
  path: string,
  sync = datasync,
  lockMs: number = BUSY_TIMEOUT_MS.usual,
  startThread = () => checkpointThread(path),
): Promise<Database> {
  makeFolder(dirname(path));
  // SQLite gives its side files (-wal, -shm) the mode of the main one, so that must be right first.
  makeFile(path);
  chmodSync(path, 0o600);
  const sqlite = new DatabaseSync(path, {
    timeout: lockMs,
    enableForeignKeyConstraints: true,
  });
  try {
    // NORMAL: the log is consistent after a power cut, and its end is missing. `GroupCommitDialect` waits for that end:
    // the ledger promises that an intent is on disk before its POST leaves.
    // What is deleted is overwritten: SQLite would leave it in the file until its place is needed. Erasing 100,000 jobs
    // takes up to twice as long for it.
    // What SQLite sorts or copies meanwhile would lie in the machine's temporary folder, and be overwritten by nobody.
    await keepLog(sqlite, lockMs);
    sqlite.exec("pragma synchronous = normal; pragma secure_delete = on; pragma temp_store = memory;");
    // The checkpointer copies the log long before.
    sqlite.exec(`pragma wal_autocheckpoint = ${PAGES_WITHOUT_HELP}`);
    migrate(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  // Asked by a statement that waits for another process's transaction, it tells the time after that.
  sqlite.function("now_ms", () => Date.now());
  const version = sqlite.prepare("pragma data_version");
  const reads = new ReadCache(() => version.get()?.["data_version"], NO_BELL);
  let changes = 0;
  // At once: in between another connection could be closed, which would end the locks of this one.
  const file = new StoredFile(path);
  // Writable: Windows flushes nothing else.
  const log = await open(`${path}-wal`, "r+");
  const dialect = new GroupCommitDialect({
    database: adapt(sqlite, file, new Patience(sqlite, lockMs), (change, values, rows, row) => {
      changes += rows;
      reads.changed(change, values, row);
    }),
    changes: () => changes,
    async sync() {
      const committed = changes;
      try {
        await sync(log);
      } catch (error) {
        throw flushFailed(error);
      }
      checkpointer.wrote(committed);
    },
  });
  const kysely = new Kysely<DatabaseSchema>({ dialect });
  // There is one connection: who has it is alone.
  const checkpointer = new Checkpointer((work) => kysely.connection().execute(work), startThread);
  const tryOut = checking(kysely, () => file.checkContent());
  const check = () => {
    // Where it is tried out there may be no damage.
    const damage = file.damage();
    return damage === undefined ? tryOut() : Promise.reject(damage);
  };
  // What waits may lie elsewhere in the file than the damage.
  const keeper = new Keeper(tryOut);
  return {
    kysely,
    reads,
    check,
    async fits() {
      const { rows } = await sql<{ readonly user_version: number }>`pragma user_version`.execute(kysely);
      return rows[0]?.user_version === MIGRATIONS.length;
    },
    keeper,
    bell: NO_BELL,
    schema: MIGRATIONS.length,
    async close() {
      keeper.leave();
      await checkpointer.close();
      await kysely.destroy();
      // Kysely leaves a database alone that it never asked anything.
      if (sqlite.isOpen) sqlite.close();
      file.close();
      await log.close();
    },
  };
}

const datasync = (log: FileHandle) => log.datasync();

/** One that is there is not opened: closing it again would end the locks that this process holds on it elsewhere. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** After how many milliseconds it is tried anew to keep a log. */
const LOG_RETRY_MS = 20;

/**
 * Keeps what is written in a log beside the file first. SQLite's own timeout does not count for the one change that makes a new file
 * have one: where several processes start together over a new folder, all but one of them would be refused at once.
 * @param lockMs how long another process is waited for, in milliseconds
 */
async function keepLog(sqlite: DatabaseSync, lockMs: number): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOG_RETRY_MS)
    try {
      sqlite.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= lockMs) throw error;
      await setTimeout(LOG_RETRY_MS);
    }
}

/**
 * Runs what is missing of {@link MIGRATIONS}: all or nothing, and once even when two processes start together. Where nothing is
 * missing, it takes no lock: waiting for one stops this process, and with it whatever transaction of its own holds it.
 */
function migrate(sqlite: DatabaseSync): void {
  if (missing(sqlite).length === 0) return;
  sqlite.function("nfc", { deterministic: true }, (text) => String(text).normalize("NFC"));
  sqlite.exec("begin immediate");
  try {
    for (const script of missing(sqlite)) sqlite.exec(script);
    sqlite.exec(`pragma user_version = ${MIGRATIONS.length}; commit`);
  } catch (error) {
    // SQLite has ended it by itself where the disk is full.
    if (sqlite.isTransaction) sqlite.exec("rollback");
    throw error;
  }
}

/** What a database was not migrated by yet. @throws ConfigError when it comes from a newer Reelay */
function missing(sqlite: DatabaseSync): readonly string[] {
  const version = Number(sqlite.prepare("pragma user_version").get()?.["user_version"]);
  if (version > MIGRATIONS.length) throw newerDatabase();
  return MIGRATIONS.slice(version);
}

/** How long writers wait for others: less, from when one waited in vain until one did not. */
class Patience {
  readonly #sqlite: DatabaseSync;
  readonly #usualMs: number;
  #isLost = false;

  constructor(sqlite: DatabaseSync, usualMs: number) {
    this.#sqlite = sqlite;
    this.#usualMs = usualMs;
  }

  lost(): void {
    if (!this.#isLost) this.#wait(BUSY_TIMEOUT_MS.inVain);
    this.#isLost = true;
  }

  rewarded(): void {
    if (this.#isLost) this.#wait(this.#usualMs);
    this.#isLost = false;
  }

  #wait(ms: number): void {
    this.#sqlite.exec(`pragma busy_timeout = ${ms}`);
  }
}

/** How many prepared statements are kept; lists of values make more texts than there are queries. */
const STATEMENTS_KEPT = 200;

/** What begins a change, or a transaction that is to change something. */
const CHANGES = /^\s*(begin|insert|replace|update|delete)\b/i;

/**
 * Node's SQLite in the shape that kysely's dialect wants.
 * @param file nothing is changed in it that is not where others look for it
 * @param changed hears of every statement that changes a table, with its values, to how many rows that was done and, where it is
 * committed, the one that it returned
 */
function adapt(
  sqlite: DatabaseSync,
  file: StoredFile,
  patience: Patience,
  changed: (change: Change, values: readonly SQLInputValue[], rows: number, row?: unknown) => void,
): SqliteDatabase {
  type Statement = ReturnType<SqliteDatabase["prepare"]>;
  /** By text, whichever was used last at the end. */
  const kept = new Map<string, Statement>();
  /** What the transaction has changed so far: told again with what it returned, once it is committed. */
  let uncommitted: (() => void)[] = [];
  const expired = sqlite.prepare("delete from kv where expires_at <= ?");
  const clearExpired = clearingExpired((now) => expired.run(now));

  function prepare(sql: string): Statement {
    // A transaction that begins with a read and writes later fails at once, without waiting, when another
    // process wrote in between; one that takes the write lock first waits for its turn.
    const statement = sqlite.prepare(sql === "begin" ? "begin immediate" : sql);
    const isChange = CHANGES.test(sql);
    const change = changeOf(sql);
    const execute = <T>(
      values: SQLInputValue[],
      run: () => T,
      rowsOf: (done: T) => number,
      rowOf: (done: T) => unknown,
    ): T => {
      // What is in a transaction was looked at where that began.
      if (isChange && !sqlite.isTransaction) file.check();
      let rows = 0;
      let row: unknown;
      try {
        clearExpired(sql);
        const done = run();
        rows = rowsOf(done);
        row = rowOf(done);
        if (sql === "commit") for (const tell of uncommitted) tell();
        if (isChange) patience.rewarded();
        return done;
      } catch (error) {
        if (isBusy(error)) patience.lost();
        file.note(error);
        throw asStorageError(error);
      } finally {
        // What touched no row changed nothing.
        if (change && rows > 0 && sqlite.isTransaction) {
          changed(change, values, rows);
          uncommitted.push(() => changed(change, values, 0, row));
        } else if (change && rows > 0) changed(change, values, rows, row);
        if (!sqlite.isTransaction) uncommitted = [];
      }
    };
    return {
      reader: statement.columns().length > 0,
      all: (values: SQLInputValue[]) =>
        execute(
          values,
          () => statement.all(...values),
          ({ length }) => length,
          ([row]) => row,
        ),
      run: (values: SQLInputValue[]) =>
        // SQLite has ended it by itself where the disk is full: why it did is not to be forgotten over that.
        sql === "rollback" && !sqlite.isTransaction
          ? NOTHING_DONE
          : execute(
              values,
              () => statement.run(...values),
              ({ changes }) => Number(changes),
              () => undefined,
            ),
      iterate: (parameters: SQLInputValue[]) => statement.iterate(...parameters),
    };
  }

  return {
    prepare(sql) {
      const statement = kept.get(sql) ?? prepare(sql);
      kept.delete(sql);
      kept.set(sql, statement);
      if (kept.size <= STATEMENTS_KEPT) return statement;
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
      return statement;
    },
    close: () => sqlite.close(),
  };
}
