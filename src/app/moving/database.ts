import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rename, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LEASE_ACROSS_MACHINES_MS, leaseFor } from "../../domain/jobs/submission/lease.ts";
import { ConfigError } from "../../common/config-error.ts";
import { makeFolder } from "../../common/disk.ts";
import { openDatabase } from "../../infrastructure/storage/database.ts";
import { copyAll } from "../../infrastructure/storage/moving/copy.ts";
import { markIn, takeOver } from "../../infrastructure/storage/moving/finish.ts";
import {
  movingAlone,
  refuseBereft,
  removeUnfinished,
  unfinishedAt,
} from "../../infrastructure/storage/moving/in-charge.ts";
import type { MoveMark, Side } from "../../infrastructure/storage/moving/side.ts";
import { SqliteSide } from "../../infrastructure/storage/moving/sqlite-side.ts";
import type { MoveDone, MoveProgress, MoveRefused } from "../../seam/surface/runtime.ts";
import { type Config, isPostgres } from "../config.ts";
import { runningOn } from "./running.ts";

type Kept = Pick<Config, "data" | "files" | "store" | "secret" | "rateWindowMs">;

/** Hears how far a move is. */
type Hear = (progress: MoveProgress) => void;

/** What a file takes beside the database that it is made of: its log, for a while. */
const ROOM = 2;

/**
 * What whoever looks at an empty database leaves there, `reelay usage` or a start that was too early: what tries it out, what
 * it makes names and digests with, and where its files are. None of it is of use without what it was made for.
 */
const OWN_ALREADY = ["storage", "clock", "installation", "digests", "audit", "files-place"];

/*
 * Who is in charge is what the database says that everything comes from, at every moment: until its mark is committed, that one;
 * from then on the other one, where all of it arrived before.
 *
 * 1. Whoever has the source open can write nothing any more, and where somebody works on it, nothing is begun.
 * 2. All of it is written to the target and read there again, in one transaction, which leaves it sealed: `arriving`.
 * 3. The source is sealed: `moved`.
 * 4. The seal of the target is taken off: `here`.
 *
 * Killed before 3, everything goes on where it was, and the next run begins anew. Killed after it, the next run does 4.
 */

/**
 * Moves everything that is kept to a PostgreSQL database, or back from that of the settings.
 * @param address undefined: back
 * @throws ConfigError for an address, or a server, that will not do, and for a file that was to come and did not
 */
export async function move(
  config: Config,
  address: string | undefined,
  hear: Hear,
): Promise<MoveDone | MoveRefused> {
  const { store, data, postgres } = config;
  const oneAtOnce = async (work: () => Promise<MoveDone | MoveRefused>) =>
    (await movingAlone(store, work)) ?? ({ refused: "under_way", place: data } as const);
  if (address !== undefined && isPostgres(address)) {
    refuseBereft(config);
    if (!existsSync(store)) return { refused: "missing", place: data };
    return oneAtOnce(() => moveTo(config, address, hear));
  }
  if (address === undefined && postgres !== undefined) {
    for (const folder of [data, dirname(store)]) makeFolder(folder);
    return oneAtOnce(() => moveBack(config, postgres, hear));
  }
  throw new ConfigError([
    {
      setting: address === undefined ? "REELAY_STORE" : "--to",
      found: "no address of a PostgreSQL database",
      wanted: "postgres://USER:PASSWORD@HOST/DATABASE",
    },
  ]);
}

/**
 * Moves everything that is kept from the SQLite file of the settings to a PostgreSQL database; what was cut off is done again, or
 * finished.
 * @throws ConfigError for a server that will not do
 */
async function moveTo(config: Kept, address: string, hear: Hear): Promise<MoveDone | MoveRefused> {
  const { store, data } = config;
  const running = await runningOn(await openDatabase(store), leaseFor(config.rateWindowMs));
  if (running > 0) return { refused: "running", place: data, count: running };
  const { openPostgresSide } = await import("../../infrastructure/storage/postgres/connect.ts");
  const to = await openPostgresSide(address).catch(asOfFlag);
  const from = new SqliteSide(store);
  try {
    await from.begin();
    const [left, arrived] = [await from.mark(), await to.mark()];
    const tables = from.tables();
    if (left?.state === "moved" && arrived?.move === left.move) return await finish(to, from, config);
    if (left && left.state !== "here") return { refused: "moved", place: left.place };
    await to.begin();
    if (!isLeftover(arrived, left) && (arrived || !(await to.isEmpty(OWN_ALREADY))))
      return { refused: "not_empty", place: to.place };
    await to.clear();
    const move = randomUUID();
    const rows = await copyAll(from, to, tables, hear);
    await to.setMark({ state: "arriving", move, place: from.place });
    await to.commit();
    hear({ step: "arrived", rows, of: rows });
    await from.setMark({ state: "moved", move, place: to.place });
    await from.commit();
    hear({ step: "moved", rows, of: rows });
    return await finish(to, from, config, rows);
  } finally {
    await from.close();
    await to.close();
  }
}

/** The address that will not do is that of the flag: whoever moves has set no other yet. */
function asOfFlag(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  const mistakes = error.mistakes.map((mistake) => ({ ...mistake, setting: "--to" }));
  throw new ConfigError(mistakes, { cause: error });
}

/** The same, back to the SQLite file of the settings. */
async function moveBack(config: Kept, address: string, hear: Hear): Promise<MoveDone | MoveRefused> {
  const { store, data } = config;
  const { connectPostgres, openPostgresSide } =
    await import("../../infrastructure/storage/postgres/connect.ts");
  const running = await runningOn(await connectPostgres(address), LEASE_ACROSS_MACHINES_MS);
  const from = await openPostgresSide(address);
  if (running > 0) {
    await from.close();
    return { refused: "running", place: from.place, count: running };
  }
  let to: SqliteSide | undefined;
  try {
    await from.begin();
    const [left, arrived] = [await from.mark(), await markIn(store)];
    if (left?.state === "moved" && arrived?.move === left.move) {
      to = new SqliteSide(store);
      return await finish(to, from, config);
    }
    if (left && left.state !== "here") return { refused: "moved", place: left.place };
    if (!isLeftover(arrived, left) && [store, `${store}-wal`].some((path) => existsSync(path)))
      return { refused: "in_use", place: data };
    const wanted = ROOM * (await from.bytes());
    const { bavail, bsize } = await statfs(dirname(store));
    if (bavail * bsize < wanted) return { refused: "no_room", place: data, bytes: wanted };

    const unfinished = unfinishedAt(store);
    await removeUnfinished(store);
    await (await openDatabase(unfinished)).close();
    to = new SqliteSide(unfinished);
    await to.begin();
    const move = randomUUID();
    const rows = await copyAll(from, to, to.tables(), hear);
    await to.setMark({ state: "arriving", move, place: from.place });
    await to.commit();
    await to.close();
    if (!(await putInPlace(unfinished, store))) return { refused: "in_use", place: data };
    hear({ step: "arrived", rows, of: rows });
    await from.setMark({ state: "moved", move, place: `sqlite:${store}` });
    await from.commit();
    hear({ step: "moved", rows, of: rows });
    to = new SqliteSide(store);
    return await finish(to, from, config, rows);
  } finally {
    await to?.close();
    await from.close();
  }
}

/** What is there was left by a move that did not come about, or by one that has been undone since. */
function isLeftover(arrived: MoveMark | undefined, left: MoveMark | undefined): boolean {
  if (arrived?.state === "arriving") return true;
  return arrived?.state === "moved" && left?.state === "here" && arrived.move === left.move;
}

/** @param rows that were moved; left out where one that was cut off is finished */
async function finish(to: Side, from: Side, { data, files, secret }: Kept, rows?: number): Promise<MoveDone> {
  await takeOver(to);
  return {
    from: from.place,
    to: to.place,
    ...(rows !== undefined && { rows }),
    data,
    hasFiles: "folder" in files && files.folder === data,
    hasSecret: secret === undefined && existsSync(join(data, "secret")),
  };
}

/**
 * Gives a whole database the name of one that is not in charge.
 * @returns false where somebody has that one open: its log would be taken for the new one's
 */
async function putInPlace(unfinished: string, store: string): Promise<boolean> {
  if (existsSync(store)) {
    const before = new SqliteSide(store);
    const isSettled = before.settle();
    await before.close();
    if (!isSettled || existsSync(`${store}-wal`)) return false;
  }
  await rename(unfinished, store);
  // It must not be lost after the other side has handed over.
  await using folder = await open(dirname(store), "r");
  await folder.sync().catch(unlessWindows);
  return true;
}

/** Windows flushes no folders. */
function unlessWindows(error: unknown): void {
  if (process.platform !== "win32") throw error;
}
