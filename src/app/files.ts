import { accessSync, constants } from "node:fs";
import { ConfigError } from "../common/config-error.ts";
import { makeFolder } from "../common/disk.ts";
import { type FileStore, folderStore } from "../infrastructure/media/files/files.ts";
import type { Config } from "./config.ts";
import { ANSWER_MS } from "./data-folder.ts";
import { responds } from "./responding.ts";

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
