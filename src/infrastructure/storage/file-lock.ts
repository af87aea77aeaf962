import { DatabaseSync } from "node:sqlite";
import { isBusy } from "./stored-file.ts";

/** A file that is locked. */
export type FileLock = Pick<DatabaseSync, "close">;

/** Locks a file, until it is closed; undefined where another process has it. SQLite knows how, on every system. */
export function locked(path: string): FileLock | undefined {
  const lock = new DatabaseSync(path);
  try {
    // Nothing is ever written to it: it needs no file beside it.
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    return undefined;
  }
}
