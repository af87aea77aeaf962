import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { realPath } from "../../common/disk.ts";
import { DIGEST, type FileRoom, type FileStore } from "../../infrastructure/media/files/files.ts";
import { sharedFiles } from "../../infrastructure/media/files/links.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { holdsIn } from "../../infrastructure/storage/holds.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import { filesKept } from "../../seam/surface/kept-files.ts";
import { PLATFORMS } from "../../seam/values.ts";
import { type FilesIn, IN_DATA } from "../settings/files.ts";
import { ANSWER_MS, responds } from "./responding.ts";

/** All there are: a room that is not named here would stay behind. */
export const ROOMS = Object.keys({
  media: 0,
  partners: 0,
  audit: 0,
} satisfies Record<FileRoom, 0>) as FileRoom[];

type Names = ReadonlySet<string>;

/**
 * Counts the files of the last place that are not in that of the settings. Where the last one is a folder of this machine, and has any,
 * it says which there are, else the database says which are needed.
 * @param before as it was remembered
 */
export async function countLost(
  database: Database,
  { data, files }: FilesIn,
  store: Pick<FileStore, "room">,
  before: string,
): Promise<number> {
  const folder = await folderOf(before, data);
  if (folder !== undefined && "folder" in files && realPath(folder) === realPath(files.folder)) return 0;
  const left = folder === undefined ? new Set<string>() : await namesIn(folder);
  const wanted = left.size > 0 ? left : await needed(database);
  if (wanted.size === 0) return 0;
  const here = "folder" in files ? await namesIn(files.folder) : await namesAt(store);
  return wanted.difference(here).size;
}

/** Undefined for a bucket, and for a folder that does not answer: a drive that is gone. */
async function folderOf(place: string, data: string): Promise<string | undefined> {
  if (place === IN_DATA) return data;
  if (!place.startsWith("file:")) return undefined;
  const folder = fileURLToPath(place);
  return (await responds(folder, ANSWER_MS)) ? folder : undefined;
}

/** What is in a folder, each by its room and name. Nothing is made there. */
async function namesIn(folder: string): Promise<Names> {
  const names = new Set<string>();
  for (const room of ROOMS)
    for (const id of await readdir(join(folder, room)).catch(() => []))
      if (DIGEST.test(id)) names.add(`${room}/${id}`);
  return names;
}

/** The same of any place. */
export async function namesAt(store: Pick<FileStore, "room">): Promise<Names> {
  const names = new Set<string>();
  for (const room of ROOMS)
    for await (const { id } of (await store.room(room)).list()) names.add(`${room}/${id}`);
  return names;
}

/** What the database says that somebody needs. */
async function needed(database: Database): Promise<Names> {
  const media = await Promise.all([
    sharedFiles(memory(database, "links")),
    ...PLATFORMS.map((surface) => filesKept(memory(database, surface))),
  ]);
  const held = await holdsIn(database).held();
  return new Set([
    // What a platform keeps with it is named otherwise.
    ...media.flat().flatMap((id) => (DIGEST.test(id) ? [`media/${id}`] : [])),
    ...[...held].map((id) => `partners/${id}`),
  ]);
}
