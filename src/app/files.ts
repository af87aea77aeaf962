import { accessSync, constants } from "node:fs";
import { ConfigError } from "../common/config-error.ts";
import { makeFolder } from "../common/disk.ts";
import { type FileStore, folderStore } from "../infrastructure/media/files/files.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import { memory } from "../infrastructure/storage/key-value.ts";
import type { Config } from "./config.ts";
import { ANSWER_MS, responds } from "./places/responding.ts";

/**
 * Opens the place where files are kept.
 * @param scratch a folder of this process alone
 * @param within how long a folder may take to answer, in milliseconds
 * @throws ConfigError for a folder that does not answer, or cannot be made or written; as `connectBucket`
 */
export async function openFiles(
  { data, files }: Pick<Config, "data" | "files">,
  scratch: string,
  within = ANSWER_MS,
): Promise<FileStore> {
  if ("bucket" in files) {
    const { connectBucket } = await import("../infrastructure/media/bucket/connect.ts");
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
export async function refuseHalfCopied(database: Database, { files }: Pick<Config, "files">): Promise<void> {
  const place = await copiedTo(database).get<string>(PLACE);
  if (place === undefined) return;
  const { nameOf } = await import("./settings/place-name.ts");
  if (place !== nameOf(files)) return;
  const wanted =
    "what it was before, where all files still are, or that command to be run once more from there, which goes on with it";
  const found = `${place}, to which \`reelay move --files\` was cut off`;
  throw new ConfigError([{ setting: "REELAY_FILES", found, wanted }]);
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
