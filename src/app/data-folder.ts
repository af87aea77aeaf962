import { dirname, join } from "node:path";
import { type Database, openDatabase } from "../infrastructure/storage/database.ts";
import { markOf, refuseBereft, refuseMoved } from "../infrastructure/storage/moving/in-charge.ts";
import { ANSWER_MS, responds } from "./places/responding.ts";
import { isReallyWithin, requireWritable, wrongFolder } from "../common/disk.ts";
import { type BackupConfig, backupsInside } from "./settings/upkeep.ts";

/** Where what is kept is. */
interface Place {
  /** The data folder. */
  readonly data: string;
  /** The SQLite file. */
  readonly store: string;
  /** The address of the PostgreSQL database that is used instead. */
  readonly postgres?: string | undefined;
}

/**
 * Opens the database of the settings, with a data folder that is made where it is missing.
 * @param within how long the folder may take to answer, in milliseconds
 * @param lockMs how long to wait for another process's transaction on SQLite, in milliseconds; left out, as long as a server may stand still
 * @throws ConfigError for a data folder that does not answer, or cannot be made or written, for a database that everything was
 * moved away from, and for one that was to come and did not; else as `openDatabase`, or `connectPostgres`
 */
export async function openStore(
  { data, store, postgres }: Place,
  within = ANSWER_MS,
  lockMs?: number,
): Promise<Database> {
  const isFile = postgres === undefined;
  if (!(await responds(isFile ? store : data, within))) throw wrongFolder(data, SILENT);
  if (isFile) refuseBereft({ data, store });
  requireWritable(data, isFile ? [data, dirname(store)] : [data]);
  if (isFile) {
    const database = await openDatabase(store, undefined, lockMs);
    return orClosed(database, async () => refuseMoved(`sqlite:${store}`, await markOf(database)));
  }
  const { connectPostgres, openPostgresSide, withoutPassword } =
    await import("../infrastructure/storage/postgres/connect.ts");
  const database = await connectPostgres(postgres);
  return orClosed(database, async () => {
    const mark = await markOf(database);
    if (mark?.state === "arriving") {
      const { finishMoveTo } = await import("../infrastructure/storage/moving/finish.ts");
      await finishMoveTo(store, mark, () => openPostgresSide(postgres));
    }
    refuseMoved(withoutPassword(postgres), await markOf(database));
  });
}

/** Where a data folder's built-in sandbox is. */
export const sandboxFolder = (data: string) => join(data, "sandbox");

/**
 * Refuses a folder for backups that links lead into the data folder, which answers.
 * @throws ConfigError
 */
export async function refuseInside(data: string, { folder }: Pick<BackupConfig, "folder">): Promise<void> {
  // One that does not answer is no reason not to start: each backup looks once more.
  if ((await responds(folder, ANSWER_MS)) && isReallyWithin(data, folder)) throw backupsInside(folder);
}

/** A database that may be used; where looking at it fails, it is closed. */
async function orClosed(database: Database, look: () => Promise<void>): Promise<Database> {
  try {
    await look();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What is wanted of a folder that does not answer. */
const SILENT = "a folder that answers; this one hangs, perhaps on a network drive that is gone";
