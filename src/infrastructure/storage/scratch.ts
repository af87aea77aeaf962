import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sleep } from "../../common/time.ts";
import { isBusy } from "./stored-file.ts";

/** A process's folder for files that are needed for a moment. */
export interface Scratch {
  readonly folder: string;
  /** Removes what ended processes left, whatever ended them. */
  sweep(): Promise<void>;
  /** Removes this one, with all that is in it. */
  close(): Promise<void>;
}

/**
 * Makes a folder for this process alone, beside those of the others. As long as it has it, it holds a lock on a file of the
 * same name, which the kernel lets go of when the process ends, however it ends, and not before: one that was stopped, or
 * whose container was paused, finds its files where they were, though others have long taken it for gone.
 * @param root where the folders of all processes are, made where it is missing
 */
export async function openScratch(root: string): Promise<Scratch> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const own = randomUUID();
  const folder = join(root, own);
  // Before the folder: one without a lock is nobody's.
  const lock = locked(lockOf(folder));
  if (!lock) throw new Error(`${lockOf(folder)} cannot be locked`);
  await mkdir(folder, { mode: 0o700 });

  async function sweep(): Promise<void> {
    const entries = await readdir(root, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== own);
    for (const folder of folders.map(({ name }) => join(root, name))) {
      const left = locked(lockOf(folder));
      if (left) await remove(folder, left);
    }
  }

  return {
    folder,
    sweep,
    close: () => remove(folder, lock),
  };
}

async function remove(folder: string, lock: FileLock): Promise<void> {
  try {
    // What is still under way may make a file in it at this very moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  } finally {
    lock.close();
  }
  await rm(lockOf(folder), { force: true });
}

const lockOf = (folder: string) => `${folder}.lock`;

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

/** Whether a process has a file locked. For a moment this has it, too. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const lock = locked(path);
  lock?.close();
  return lock === undefined;
}

/** For so long one waits for whoever only looks whether a file is locked, or removes what a killed process left, in milliseconds. */
const LOOK_MS = 2_000;
const RETRY_MS = 20;

/**
 * Does what no two processes may do at once. What a killed one had locked is free.
 * @param path of a file that is there only meanwhile
 * @returns undefined where another one does it, and is not done within two seconds
 */
export async function alone<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  let lock = lockedThere(path);
  for (let waited = 0; !lock && waited < LOOK_MS; waited += RETRY_MS) {
    await sleep(RETRY_MS);
    lock = lockedThere(path);
  }
  if (!lock) return undefined;
  try {
    return await work();
  } finally {
    await unlock(path, lock);
  }
}

/** Locks a file, unless what was locked is removed already: somebody else could lock the next one of its name. */
function lockedThere(path: string): FileLock | undefined {
  // Opened once, so that there is one; by SQLite, as whoever closes a file lets go of every lock that its process has on it.
  new DatabaseSync(path).close();
  const before = numberOf(path);
  const lock = locked(path);
  if (!lock || (before !== undefined && before === numberOf(path))) return lock;
  lock.close();
  return undefined;
}

/** The number by which a disk knows a file; undefined where there is none. */
const numberOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino;

/** Removes a file before it is let go of: nobody who locks it then has one that is about to go. */
async function unlock(path: string, lock: FileLock): Promise<void> {
  const isGone = await rm(path, { force: true }).then(
    () => true,
    () => false,
  );
  lock.close();
  // Windows removes nothing that is open. Who has opened it meanwhile removes it later.
  if (!isGone) await rm(path, { force: true }).catch(() => undefined);
}
