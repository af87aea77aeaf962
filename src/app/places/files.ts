import { accessSync, constants } from "node:fs";
import { ConfigError } from "../../common/config-error.ts";
import { makeFolder } from "../../common/disk.ts";
import { type FileStore, folderStore } from "../../infrastructure/media/files/files.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import { type FilesIn, IN_DATA, settingOf } from "../settings/files.ts";
import { ANSWER_MS, responds } from "./responding.ts";

/**
 * Opens the place where files are kept.
 * @param scratch a folder of this process alone
 * @param within how long a folder may take to answer, in milliseconds
 * @throws ConfigError for a folder that does not answer, or cannot be made or written; as `connectBucket`
 */
export async function openFiles(
  { data, files }: FilesIn,
  scratch: string,
  within = ANSWER_MS,
): Promise<FileStore> {
  if ("bucket" in files) {
    const { connectBucket } = await import("../../infrastructure/media/bucket/connect.ts");
    return connectBucket(files.bucket, scratch);
  }
  const { folder } = files;
  // The data folder was looked at already.
  if (folder !== data) await checkFolder(folder, within);
  return folderStore(folder);
}

/** Where the database says, under {@link PLACE}, to which place files are being copied. */
export const copiedTo = (database: Database) => memory(database, "files-copied-to");

/** See {@link copiedTo}. */
export const PLACE = "place";

/**
 * Refuses to look for files where only some of them have arrived: the others would be said to be gone.
 * @throws ConfigError
 */
export async function refuseHalfCopied(database: Database, { files }: Pick<FilesIn, "files">): Promise<void> {
  const place = await copiedTo(database).get<string>(PLACE);
  if (place === undefined) return;
  const { nameOf } = await import("../settings/place-name.ts");
  if (place !== nameOf(files)) return;
  const wanted =
    "what it was before, where all files still are, or that command to be run once more from there, which goes on with it";
  const found = `${place}, to which \`reelay move --files\` was cut off`;
  throw new ConfigError([{ setting: "REELAY_FILES", found, wanted }]);
}

/** The entry that says where files were kept last, as `REELAY_FILES` has it. */
const AT = "at";

const remembered = (database: Database) => memory(database, "files-place");

/** Where the settings keep files, as it is remembered. */
export const placeIn = ({ data, files }: FilesIn): string =>
  "folder" in files && files.folder === data ? IN_DATA : settingOf(files);

/** Where files were kept last; undefined where nobody has said so yet, as in what an earlier version wrote. */
export const lastPlace = (database: Database) => remembered(database).get<string>(AT);

/** Has the next start find files there without a look. */
export const rememberPlace = (database: Database, settings: FilesIn) =>
  remembered(database).set(AT, placeIn(settings));

/** The same, where nothing is remembered yet. */
export async function rememberFirst(database: Database, settings: FilesIn): Promise<void> {
  await remembered(database).once(AT, () => placeIn(settings));
}

/** The next start is to take whatever place is set then. */
export const forgetPlace = (database: Database) => remembered(database).delete(AT);

/**
 * Remembers where files are kept, and refuses another place that lacks what was kept in the last one: whoever changed the setting alone
 * would be told that all of it is gone.
 * @param store the place of the settings
 * @throws ConfigError
 */
export async function keepInSight(
  database: Database,
  settings: FilesIn,
  store: Pick<FileStore, "room">,
): Promise<void> {
  const here = placeIn(settings);
  const before = await remembered(database).once(AT, () => here);
  if (before === here) return;
  await refuseLoss(database, settings, store, before);
  await rememberPlace(database, settings);
}

/** The same, where nothing is remembered: for those who only look. @throws ConfigError */
export async function lookForLoss(
  database: Database,
  settings: FilesIn,
  store: Pick<FileStore, "room">,
): Promise<void> {
  const before = await lastPlace(database);
  if (before !== undefined && before !== placeIn(settings))
    await refuseLoss(database, settings, store, before);
}

async function refuseLoss(
  database: Database,
  settings: FilesIn,
  store: Pick<FileStore, "room">,
  before: string,
): Promise<void> {
  const { countLost } = await import("./lost.ts");
  const count = await countLost(database, settings, store, before);
  if (count === 0) return;
  const now = settingOf(settings.files);
  const was = before === IN_DATA ? "the data folder" : before;
  const back = before === IN_DATA ? "to be unset, as it was before" : `${before}, as it was before`;
  throw new ConfigError([
    {
      setting: "REELAY_FILES",
      found: `${now}, where files are missing that were kept in ${was}: ${count}`,
      wanted: `${back}; with that, \`reelay move --files '${now}'\` copies them. Or, to go on without them, the same command with REELAY_FILES as it is now`,
    },
  ]);
}

async function checkFolder(folder: string, within: number): Promise<void> {
  const wrong = (wanted: string) =>
    new ConfigError([{ setting: "REELAY_FILES", found: JSON.stringify(`file:${folder}`), wanted }]);
  if (!(await responds(folder, within)))
    throw wrong("a folder that answers; this one hangs, perhaps on a network drive that is gone");
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw wrong(`a folder that can be written to${reason}`);
  }
}
