import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { alone } from "../../infrastructure/storage/scratch.ts";

/** What a backup's name is followed by in that of the file that is locked while it is written: nobody else calls a file so. */
const LOCK = ".reelay-lock";

/** What stands beside a backup while it is written. */
export interface BackupPaths {
  /** The backup itself, until it was read back. */
  readonly unfinished: string;
  /** The database as it is at one moment. */
  readonly database: string;
  /** The same of that of test tokens. */
  readonly tests: string;
}

const pathsOf = (to: string): BackupPaths => ({
  unfinished: `${to}.unfinished`,
  database: `${to}.database`,
  tests: `${to}.tests`,
});

/**
 * Writes a backup, where no other process writes one of that name; what is beside it goes.
 * @returns undefined where another one does
 */
export const backingUpAlone = <T>(
  to: string,
  work: (paths: BackupPaths) => Promise<T>,
): Promise<T | undefined> =>
  alone(to + LOCK, async () => {
    await clear(to);
    try {
      return await work(pathsOf(to));
    } finally {
      await clear(to);
    }
  });

/** Removes what killed backups of any name left in a folder: what stands beside a lock of ours that nobody holds. */
export async function clearDead(folder: string): Promise<void> {
  const locks = (await readdir(folder)).filter((name) => name.endsWith(LOCK));
  for (const name of locks) {
    const to = join(folder, name.slice(0, -LOCK.length));
    // Another user's cannot be removed, and are in nobody's way.
    await alone(to + LOCK, () => clear(to)).catch(() => undefined);
  }
}

async function clear(to: string): Promise<void> {
  for (const path of Object.values(pathsOf(to)))
    for (const end of ["", "-journal"]) await rm(path + end, { force: true });
  // What an earlier version locked; it may be a killed one's.
  await rm(`${to}.lock`, { force: true });
}
