import { join } from "node:path";
import { asReelayError } from "../../common/errors.ts";
import { ConfigError } from "../../common/config-error.ts";
import { realPath } from "../../common/disk.ts";
import { leaseFor, LEASE_ACROSS_MACHINES_MS } from "../../domain/jobs/submission/lease.ts";
import type { MediaFiles } from "../../infrastructure/media/files/files.ts";
import { movingAlone } from "../../infrastructure/storage/moving/in-charge.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { openScratch } from "../../infrastructure/storage/scratch.ts";
import type { FilesMoved, FilesProgress, MoveRefused } from "../../seam/surface/runtime.ts";
import type { Config } from "../config.ts";
import { openStore } from "../data-folder.ts";
import {
  copiedTo,
  keepInSight,
  lastPlace,
  openFiles,
  PLACE,
  placeIn,
  rememberPlace,
} from "../places/files.ts";
import { namesAt, ROOMS } from "../places/lost.ts";
import { ANSWER_MS, responds } from "../places/responding.ts";
import { type FilesPlace, IN_DATA } from "../settings/files.ts";
import { runningOn } from "./running.ts";
import { nameOf } from "../settings/place-name.ts";

/** Files that are on their way at once: a store far away answers slowly. */
const AT_ONCE = 8;

/**
 * Copies every file that is kept to another place, while nobody works. What is there already is not copied again, so that one that was
 * cut off goes on, and until then nobody works there. Each file's name is its digest: what has another one is damaged, and stays where
 * it is. Nothing is erased here, and whoever starts with `REELAY_FILES` as before has everything as it was. Where the settings name that
 * place already, though files were kept in another one last, nothing is copied: it is taken as it is.
 * @param to the settings as they are to be
 * @throws ConfigError for the place where the files are already; as `openFiles`, and as `keepInSight`
 */
export async function moveFiles(
  config: Config,
  to: Pick<Config, "data" | "files">,
  hear: (progress: FilesProgress) => void,
): Promise<FilesMoved | MoveRefused> {
  const [here, there] = [nameOf(config.files), nameOf(to.files)];
  const isHere = here === there || (await isSameFolder(config.files, to.files));
  const leaseMs = config.postgres === undefined ? leaseFor(config.rateWindowMs) : LEASE_ACROSS_MACHINES_MS;
  const count = await runningOn(await openStore(config), leaseMs);
  if (count > 0) return { refused: "running", place: here, count };
  const moved = await movingAlone(config.store, async () => {
    await using opened = new AsyncDisposableStack();
    const database = await openStore(config);
    opened.defer(() => database.close());
    if (isHere) return await takeAsItIs(config, database);
    const mark = copiedTo(database);
    await mark.set(PLACE, there);
    const copied = await copyAll(config, to, hear, database);
    await rememberPlace(database, to);
    await mark.delete(PLACE);
    return copied;
  });
  return moved ?? { refused: "under_way", place: config.data };
}

/** Whether two names are those of one folder: whoever took what was not copied for a copy would lose what is there. */
async function isSameFolder(one: FilesPlace, other: FilesPlace): Promise<boolean> {
  if (!("folder" in one && "folder" in other)) return false;
  // One that does not answer is told of by whoever opens it.
  for (const { folder } of [one, other]) if (!(await responds(folder, ANSWER_MS))) return false;
  return realPath(one.folder) === realPath(other.folder);
}

/** @throws ConfigError unless files were kept in another place last */
async function takeAsItIs(config: Config, database: Database): Promise<FilesMoved> {
  const [before, to] = [await lastPlace(database), nameOf(config.files)];
  if (before === undefined || before === placeIn(config))
    throw new ConfigError([{ setting: "--files", found: to, wanted: "another place than REELAY_FILES" }]);
  const scratch = await openScratch(join(config.data, "scratch"));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => scratch.close());
  const store = await openFiles(config, scratch.folder);
  opened.defer(() => store.close());
  const { size } = await namesAt(store);
  await rememberPlace(database, config);
  const from = before === IN_DATA ? nameOf({ folder: config.data }) : before;
  return { from, to, files: size, bytes: 0, damaged: [], asItIs: true };
}

async function copyAll(
  config: Config,
  to: Pick<Config, "data" | "files">,
  hear: (progress: FilesProgress) => void,
  database: Database,
): Promise<FilesMoved> {
  const scratch = await openScratch(join(config.data, "scratch"));
  await using places = new AsyncDisposableStack();
  places.defer(() => scratch.close());
  const source = await openFiles(config, scratch.folder);
  places.defer(() => source.close());
  // Else what was kept elsewhere would be left behind for good.
  await keepInSight(database, config, source);
  const target = await openFiles(to, scratch.folder);
  places.defer(() => target.close());
  const done = { files: 0, bytes: 0 };
  const damaged: string[] = [];
  for (const room of ROOMS) {
    const [from, into] = [await source.room(room), await target.room(room)];
    await forEach(from.list(), async ({ id }) => {
      const copied = await copy(id, from, into);
      if (copied === "damaged") damaged.push(`${room}/${id}`);
      else [done.files, done.bytes] = [done.files + 1, done.bytes + copied];
      hear({ ...done });
    });
  }
  return { from: nameOf(config.files), to: nameOf(to.files), ...done, damaged };
}

/** @returns bytes that were copied, 0 where the file was there */
async function copy(id: string, from: MediaFiles, to: MediaFiles): Promise<number | "damaged"> {
  const { bytes } = await from.stat(id);
  if ((await bytesOf(id, to)) === bytes) return 0;
  try {
    await to.put(await from.open(id), bytes, async (found) => {
      if (found !== id) throw new Damaged();
    });
    return bytes;
  } catch (error) {
    if (error instanceof Damaged) return "damaged";
    throw error;
  }
}

class Damaged extends Error {}

async function bytesOf(id: string, files: MediaFiles): Promise<number | undefined> {
  try {
    return (await files.stat(id)).bytes;
  } catch (error) {
    if (asReelayError(error).code === "media_gone") return undefined;
    throw error;
  }
}

/** Does something with each, some at once, and ends when all that it began have: the first that fails is the last. */
async function forEach<T>(all: AsyncIterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const underWay = new Set<Promise<void>>();
  try {
    for await (const one of all) {
      const task: Promise<void> = work(one).then(() => void underWay.delete(task));
      underWay.add(task);
      // It is heard of below.
      task.catch(() => {});
      if (underWay.size >= AT_ONCE) await Promise.race(underWay);
    }
    await Promise.all(underWay);
  } finally {
    await Promise.allSettled(underWay);
  }
}
