import { existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ConfigError } from "../../../common/config-error.ts";
import type { Database } from "../database.ts";
import { alone, isLocked } from "../scratch.ts";
import type { MoveMark } from "./side.ts";

/** What a database says of who is in charge; undefined where nothing was ever moved. */
export async function markOf({ kysely }: Pick<Database, "kysely">): Promise<MoveMark | undefined> {
  return kysely.selectFrom("moved").select(["state", "move", "place"]).executeTakeFirst();
}

/**
 * Refuses to work on a database that is not in charge.
 * @param here where it is, as it may be shown
 * @throws ConfigError
 */
export function refuseMoved(here: string, mark: MoveMark | undefined): void {
  if (!mark || mark.state === "here") return;
  throw new ConfigError([
    mark.state === "moved"
      ? {
          setting: "REELAY_STORE",
          found: `${here}, from which everything was moved to ${mark.place}`,
          wanted: "that database, where everything is now",
        }
      : {
          setting: "REELAY_STORE",
          found: `${here}, to which a move from ${mark.place} was cut off`,
          wanted:
            "`reelay move` to be run once more as before, which finishes it; until then everything is there",
        },
  ]);
}

/** What the SQLite file of a restore, or of a move back, is called until all of it is there. */
export const unfinishedAt = (store: string) => `${store}.unfinished`;

/** What is locked while a restore, or a move, goes on. */
export const movingLockOf = (store: string) => `${store}.lock`;

/**
 * Restores, or moves: one at once.
 * @param store the SQLite file of the settings, whose folder is there
 * @returns undefined where another process does
 */
export const movingAlone = <T>(store: string, work: () => Promise<T>): Promise<T | undefined> =>
  alone(movingLockOf(store), work);

/**
 * Refuses to begin with nothing where a database was to come and did not.
 * @param store where it would be
 * @throws ConfigError
 */
function refuseUnfinished(store: string): void {
  const unfinished = unfinishedAt(store);
  if (existsSync(store) || !existsSync(unfinished)) return;
  if (isLocked(movingLockOf(store)))
    throw new ConfigError([
      {
        setting: "REELAY_DATA",
        found: `${unfinished}, which \`reelay restore\` or \`reelay move\` is writing at this moment`,
        wanted: "to be left alone until that is done",
      },
    ]);
  throw new ConfigError([
    {
      setting: "REELAY_DATA",
      found: `${unfinished}, left by a restore or a move that was cut off or failed: nothing is in charge here yet`,
      wanted:
        "`reelay restore` or `reelay move` to be run once more as before, which begins anew; or, to start with nothing, that file to be removed",
    },
  ]);
}

/** What comes into a data folder only once there are tables in its database. */
const KEPT_BESIDE = ["secret", "audit", "partners"] as const;

/**
 * Refuses to begin with nothing where something was, or was to come: as `refuseUnfinished`, and where the file has no bytes though what is
 * beside it was kept with one. A new file has none either, for as long as its tables are not begun.
 * @throws ConfigError
 */
export function refuseBereft({ data, store }: { readonly data: string; readonly store: string }): void {
  refuseUnfinished(store);
  const log = `${store}-wal`;
  // First: of two that begin together, the other one keeps something there as soon as the file has bytes.
  const beside = [
    ...KEPT_BESIDE.map((name) => join(data, name)).filter(existsSync),
    ...(sizeOf(log) ? [log] : []),
  ];
  const [shown] = beside;
  if (shown === undefined || sizeOf(store) !== 0) return;
  throw new ConfigError([
    {
      setting: "REELAY_DATA",
      found: `${store}, which is empty, though ${basename(shown)} beside it shows that it was in use: a disk was full, or a copy broke off`,
      wanted:
        "that folder to be moved away and the last backup to be gone back to with `reelay restore FILE`; or, to start with nothing, that file to be removed",
    },
  ]);
}

/** Undefined where nothing is. */
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;

/** Removes what one that was cut off has left, with its log. */
export async function removeUnfinished(store: string): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) await rm(unfinishedAt(store) + end, { force: true });
}
