import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
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
export function refuseUnfinished(store: string): void {
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

/** Removes what one that was cut off has left, with its log. */
export async function removeUnfinished(store: string): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) await rm(unfinishedAt(store) + end, { force: true });
}
