import { ConfigError } from "../../common/config-error.ts";
import type { FileStore } from "../../infrastructure/media/files/files.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import { type FilesIn, IN_DATA, settingOf } from "../settings/place-name.ts";

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
