import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { ReelayError } from "../errors.ts";

/** What every SQLite file begins with. */
const MAGIC = Buffer.from("SQLite format 3\0");

/** Results of SQLite that say that its file, or what it is on, is not as it should be (their first byte). */
const BROKEN: ReadonlyMap<number, string> = new Map([
  [8, "it cannot be written"],
  [10, "the disk fails"],
  [11, "it is damaged"],
  [13, "the disk is full"],
  [14, "it cannot be opened"],
  [26, "it is no database any more"],
]);

/** A database that cannot keep what it is given. */
function down(reason: string, cause?: unknown): ReelayError {
  return new ReelayError("storage_down", { reason }, cause === undefined ? {} : { cause });
}

/** What went wrong with a statement: `storage_down` where that is the file's doing, else as it was. */
export function asStorageError(error: unknown): unknown {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
  const reason = code === undefined ? undefined : BROKEN.get(code);
  return reason === undefined ? error : down(reason, error);
}

/**
 * The files that a database has open, while it has them open: whether they are still where others would look for them. SQLite
 * goes on with a file that was deleted or replaced, and what it keeps there nobody finds again.
 */
export class StoredFile {
  readonly #parts: { readonly path: string; readonly fd: number }[];

  /** @param path of the database, which is open already */
  constructor(path: string) {
    // They stay open: closing one of them would end the locks that SQLite holds on it.
    this.#parts = [path, `${path}-wal`].map((part) => ({ path: part, fd: openSync(part, "r") }));
  }

  /** @throws ReelayError `storage_down` where what is open is not what is there */
  check(): void {
    for (const { path, fd } of this.#parts) {
      const open = fstatSync(fd, { bigint: true });
      const there = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (!there) throw down(`${path} is gone`);
      if (there.ino !== open.ino || there.dev !== open.dev) throw down(`${path} was replaced`);
    }
  }

  /** The same, and whether what is there is a whole database. @throws ReelayError `storage_down` */
  checkContent(): void {
    this.check();
    const [main] = this.#parts;
    if (!main) return;
    const head = Buffer.alloc(32);
    readSync(main.fd, head, 0, head.length, 0);
    if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw down(`${main.path} is damaged`);
    // 1 stands for the size that two bytes cannot hold.
    const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
    if (fstatSync(main.fd).size < pageBytes * head.readUInt32BE(28)) throw down(`${main.path} is cut off`);
  }

  /** To be called when the database is closed, not before; again does nothing. */
  close(): void {
    for (const { fd } of this.#parts.splice(0)) closeSync(fd);
  }
}
