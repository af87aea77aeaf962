import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

// Token amounts are kept in hundredths, so that sums of decimals stay exact.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS accounts (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, tier TEXT NOT NULL, key TEXT NOT NULL UNIQUE,
    tokens INTEGER NOT NULL, used INTEGER NOT NULL, created_at INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, account_id INTEGER NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL,
    progress INTEGER NOT NULL, created_at INTEGER NOT NULL, started_at INTEGER, completed_at INTEGER,
    planned_ms INTEGER NOT NULL, rendered INTEGER NOT NULL, failure TEXT, cost INTEGER NOT NULL,
    request TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS jobs_by_account ON jobs (account_id, created_at);
  CREATE INDEX IF NOT EXISTS open_jobs ON jobs (status) WHERE status IN ('SUBMITTED', 'IN_PROGRESS');
  CREATE TABLE IF NOT EXISTS submissions (
    number INTEGER PRIMARY KEY, job_id TEXT NOT NULL, account TEXT NOT NULL, type TEXT NOT NULL,
    cost INTEGER NOT NULL, template TEXT, prompt TEXT, in_app_username TEXT, platform TEXT, at INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS registered_templates (
    kind TEXT NOT NULL, id TEXT NOT NULL, fields TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (kind, id)
  );
  CREATE TABLE IF NOT EXISTS refunds (account_id INTEGER NOT NULL, amount INTEGER NOT NULL, due INTEGER NOT NULL);
`;

/** What an accepted submission keeps nothing of once its job is deleted: the rest counts what was charged, and how often. */
export const NO_WORDS = "prompt = NULL, in_app_username = NULL";

/** What later versions changed, in order; a folder keeps count in `user_version`. */
const MIGRATIONS = [
  `ALTER TABLE jobs ADD COLUMN operation TEXT NOT NULL DEFAULT 'video';
   ALTER TABLE jobs ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE jobs ADD COLUMN final_cost INTEGER NOT NULL DEFAULT 0;
   UPDATE jobs SET reserved = cost, final_cost = cost;`,
  "ALTER TABLE jobs ADD COLUMN host TEXT NOT NULL DEFAULT 'primary'",
  `UPDATE submissions SET ${NO_WORDS} WHERE job_id NOT IN (SELECT id FROM jobs)`,
];

/** The state folder: one database, and a folder of files for each job. */
export interface Store {
  readonly db: DatabaseSync;
  /** What every repeatable chance starts from; fixed at the folder's first start. */
  readonly seed: string;
  /** Folder that holds one folder a job. */
  readonly files: string;
  /** Runs all of it or nothing of it. */
  transaction<T>(work: () => T): T;
  /** Runs all of it or nothing of it; what it deletes is in no file after that, or as soon as the disk allows: see {@link catchUp}. */
  erasing<T>(work: () => T): T;
  /** Has what was deleted leave the log where the disk kept it from that; does nothing where nothing is owed. */
  catchUp(): void;
}

/**
 * Opens the state folder, making it where it is missing.
 * @param seed used at the first start only; random when omitted
 * @throws the system's or SQLite's error, such as of a full disk; nothing is left open then
 */
export function openStore(dir: string, seed: string | undefined): Store {
  const files = join(dir, "files");
  mkdirSync(files, { recursive: true, mode: 0o700 });
  const path = join(dir, "sandbox.db");
  // People's pictures and keys are in it; SQLite's other files take the mode of this one.
  closeSync(openSync(path, "a", 0o600));
  for (const [name, mode] of [
    [path, 0o600],
    [dir, 0o700],
    [files, 0o700],
  ] as const)
    chmodSync(name, mode);
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    return storeOf(db, files, seed);
  } catch (error) {
    db.close();
    throw error;
  }
}

function storeOf(db: DatabaseSync, files: string, seed: string | undefined): Store {
  // NORMAL is enough: what a killed process had committed is kept, and only a power cut could lose the tail.
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY; ${SCHEMA}`);
  migrate(db);
  db.prepare("INSERT OR IGNORE INTO meta VALUES ('seed', ?)").run(seed ?? randomBytes(16).toString("hex"));
  const stored = db.prepare("SELECT value FROM meta WHERE name = 'seed'").get();
  let isOwed = false;
  const catchUp = () => {
    if (isOwed) emptyLog(db);
    isOwed = false;
  };
  return {
    db,
    seed: String(stored?.["value"]),
    files,
    transaction: (work) => transaction(db, work),
    erasing(work) {
      const result = transaction(db, work);
      isOwed = true;
      try {
        catchUp();
      } catch {
        // It is deleted all the same: whoever asked for that is not to hear that it is not. The worker catches up.
      }
      return result;
    },
    catchUp,
  };
}

/** What was deleted still stands in SQLite's log until that begins anew. */
const emptyLog = (db: DatabaseSync) => db.exec("PRAGMA wal_checkpoint(TRUNCATE)");

function migrate(db: DatabaseSync): void {
  const isOlder = transaction(db, () => {
    const done = Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);
    for (const migration of MIGRATIONS.slice(done)) db.exec(migration);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    return done < MIGRATIONS.length;
  });
  // Older versions did not overwrite what they deleted.
  if (isOlder) db.exec("VACUUM");
  emptyLog(db);
}

function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite has ended it by itself where the disk is full or fails: why it did is not to be forgotten over that.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
