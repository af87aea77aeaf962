import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "../common/config-error.ts";
import { type Database, openDatabase } from "../infrastructure/storage/database.ts";
import { makeFolder } from "../infrastructure/storage/folder.ts";

/**
 * Opens the database of the settings, in a folder that is made where it is missing.
 * @throws ConfigError for a data folder that cannot be made or written; else as `openDatabase`
 */
export function openStore({
  data,
  store,
}: {
  readonly data: string;
  readonly store: string;
}): Promise<Database> {
  try {
    for (const folder of [data, dirname(store)]) {
      makeFolder(folder);
      accessSync(folder, constants.W_OK);
    }
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    const wanted = `a folder that can be written to${reason}`;
    throw new ConfigError([{ setting: "REELAY_DATA", found: JSON.stringify(data), wanted }]);
  }
  return openDatabase(store);
}
