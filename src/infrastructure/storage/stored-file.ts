import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { asDiskError, FULL, isWithin } from "../../common/disk.ts";
import { ReelayError } from "../../common/errors.ts";

/** What every SQLite file begins with. */
const MAGIC = Buffer.from("SQLite format 3\0");

/** SQLite's result where another process has the lock. */
const BUSY = 5;

/** SQLite's result for a file that is damaged. */
const CORRUPT = 11;

/** SQLite's results for a file that is damaged, or is none of its own any more. */
const DAMAGED: ReadonlySet<number | undefined> = new Set([CORRUPT, 26]);

/** What SQLite says of a file whose head names a format that there is not: with the result of a wrong statement. */
const NO_FORMAT = "unsupported file format";

/** How long it is before a whole file is read to see whether its damage is gone, in milliseconds: this process stands still meanwhile. */
const READ_AGAIN_MS = 60_000;

/** What a trigger says that seals a database which everything was moved away from. */
export const MOVED = "it was moved to another database";

/** Results of SQLite that say that its file, or what it is on, is not as it should be (their first byte). */
const BROKEN: ReadonlyMap<number, string> = new Map([
  [BUSY, "another process keeps it locked"],
  [8, "it cannot be written"],
  [10, "the disk fails"],
  [CORRUPT, "it is damaged"],
  [13, FULL],
  [14, "it cannot be opened"],
  [26, "it is no database any more"],
]);

/** SQLite's extended result where the memory that its processes share could not grow: that is a file beside the database. */
const SHARED_MEMORY_SIZE = 10 | (19 << 8);

/** What the system says of files that are another user's. */
const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM"]);

/** A database that cannot keep what it is given. */
function down(reason: string, cause?: unknown): ReelayError {
  return new ReelayError("storage_down", { reason }, cause === undefined ? {} : { cause });
}

/** What went wrong with a statement: `storage_down` where that is the file's doing, else as it was. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof Error && error.message === MOVED) return down(MOVED, error);
  // Where anything else cannot grow, SQLite says so itself.
  if (resultOf(error) === SHARED_MEMORY_SIZE) return down(FULL, error);
  const code = codeOf(error);
  const reason = code === undefined ? undefined : BROKEN.get(code);
  return reason === undefined ? error : down(reason, error);
}

/**
 * What went wrong with whatever is kept, in the database or beside it: `storage_down` where the disk does not take it, or it is another
 * user's; else as it was.
 * @param data the data folder, absolute
 */
export function asKeptError(error: unknown, data: string): unknown {
  const told = asDiskError(asStorageError(error));
  if (!(told instanceof Error && "path" in told && "code" in told && FORBIDDEN.has(told.code))) return told;
  const path = String(told.path);
  return isWithin(data, resolve(path)) ? down(`${path} is another user's`, told) : told;
}

/** Whether something could not be kept for want of space. */
export function isFull(error: unknown): boolean {
  const told = asDiskError(asStorageError(error));
  return told instanceof ReelayError && told.params["reason"] === FULL;
}

/** That what was written may not survive a power cut. */
export const flushFailed = (error: unknown) => down("the disk fails", error);

/** Whether a statement ran into damage of what it reads. */
export const isDamage = (error: unknown) => DAMAGED.has(codeOf(error));

/** Whether a statement gave up because another process has the lock. */
export const isBusy = (error: unknown) => codeOf(error) === BUSY;

function codeOf(error: unknown): number | undefined {
  if (error instanceof Error && error.message === NO_FORMAT) return CORRUPT;
  const result = resultOf(error);
  return result === undefined ? undefined : result & 0xff;
}

/** With what SQLite says beside it (its other bytes). */
function resultOf(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
}

/**
 * Descriptors of databases, by device and inode: one for all who have the file open in this process. Closing any descriptor of a
 * file ends the locks that SQLite holds on it, whichever connection they are of (POSIX, fcntl); until 3.51 SQLite of another
 * process then takes itself for the last one, and removes the log.
 */
const descriptors = new Map<string, { readonly fd: number; users: number }>();

/** A descriptor of a database, and what gives it back; it is closed when nobody in this process has the file open. */
function borrow(path: string): { readonly fd: number; giveBack(): void } {
  const { dev, ino } = statSync(path, { bigint: true });
  const name = `${dev} ${ino}`;
  const shared = descriptors.get(name) ?? { fd: openSync(path, "r"), users: 0 };
  descriptors.set(name, shared);
  shared.users++;
  return {
    fd: shared.fd,
    giveBack() {
      shared.users--;
      if (shared.users > 0) return;
      descriptors.delete(name);
      closeSync(shared.fd);
    },
  };
}

/**
 * The files that a database has open, while it has them open: whether they are still where others would look for them. SQLite
 * goes on with a file that was deleted or replaced, and what it keeps there nobody finds again.
 */
export class StoredFile {
  readonly #path: string;
  readonly #main: ReturnType<typeof borrow>;
  /** As they were when they were opened: while they are open, no other file gets their inodes. */
  readonly #parts: readonly { readonly path: string; readonly dev: bigint; readonly ino: bigint }[];
  readonly #now: () => number;
  #closed = false;
  /** What a statement ran into, and when the file is read again. */
  #damage: { readonly met: ReelayError; readonly until: number } | undefined;

  /**
   * @param path of the database, which is open already: nobody else of this process has closed it in between
   * @param now in milliseconds, by a clock that never goes back
   */
  constructor(path: string, now = () => performance.now()) {
    this.#path = path;
    this.#now = now;
    this.#main = borrow(path);
    this.#parts = [path, `${path}-wal`].map((part) => {
      const { dev, ino } = statSync(part, { bigint: true });
      return { path: part, dev, ino };
    });
  }

  /** @throws ReelayError `storage_down` where what is open is not what is there */
  check(): void {
    for (const { path, dev, ino } of this.#parts) {
      const there = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (!there) throw down(`${path} is gone`);
      if (there.ino !== ino || there.dev !== dev) throw down(`${path} was replaced`);
    }
  }

  /** The same, and whether what is there is a whole database. @throws ReelayError `storage_down` */
  checkContent(): void {
    this.check();
    const { fd } = this.#main;
    const head = Buffer.alloc(32);
    readSync(fd, head, 0, head.length, 0);
    if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw down(`${this.#path} is damaged`);
    // 1 stands for the size that two bytes cannot hold.
    const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    const isShort = () => fstatSync(fd).size < pageBytes * head.readUInt32BE(28);
    if (!isShort()) return;
    // Where a full disk ends what copies the log, the file's head is copied already, and tells of pages that are still in the log alone.
    copyLog(this.#path);
    if (isShort() || isDamaged(this.#path)) throw down(`${this.#path} is cut off`);
  }

  /** Takes note of what a statement failed of: damage is still there when the next statement does not meet it. */
  note(error: unknown): void {
    const met = asStorageError(error);
    if (met instanceof ReelayError && isDamage(error))
      this.#damage = { met, until: this.#now() + READ_AGAIN_MS };
  }

  /** The `storage_down` of a statement that ran into damage, until the whole file was read without meeting any. */
  damage(): ReelayError | undefined {
    if (this.#damage && this.#now() >= this.#damage.until)
      this.#damage = isDamaged(this.#path)
        ? { ...this.#damage, until: this.#now() + READ_AGAIN_MS }
        : undefined;
    return this.#damage?.met;
  }

  /** To be called when the database is closed, not before; again does nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#main.giveBack();
  }
}

/**
 * Reads a whole database, as far as SQLite can check it.
 * @returns what is wrong with it, in SQLite's words; nothing where all is well, or where there is none yet
 */
export function damageOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const sqlite = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = sqlite.prepare("pragma quick_check(5)").all();
    return rows.map((row) => String(row["quick_check"])).filter((said) => said !== "ok");
  } finally {
    sqlite.close();
  }
}

/** Copies what is in a database's log into its file. @throws ReelayError `storage_down` where the disk does not take it */
function copyLog(path: string): void {
  const sqlite = new DatabaseSync(path);
  try {
    sqlite.exec("pragma wal_checkpoint(passive)");
  } catch (error) {
    throw asStorageError(error);
  } finally {
    sqlite.close();
  }
}

function isDamaged(path: string): boolean {
  try {
    return damageOf(path).length > 0;
  } catch {
    return true;
  }
}
