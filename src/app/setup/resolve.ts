import { existsSync } from "node:fs";
import { ConfigError } from "../../common/config-error.ts";
import { makeLogger } from "../../infrastructure/telemetry/telemetry.ts";
import { openVault } from "../../infrastructure/vault/open.ts";
import type { UnusedSetting } from "../../seam/surface/setup.ts";
import { type Config, readConfig } from "../config.ts";
import { openStore } from "../data-folder.ts";
import { ANSWER_MS, responds } from "../places/responding.ts";
import { givenBy } from "../settings/kinds.ts";
import { type Effective, effective, type Environment } from "./effective.ts";
import { FIELDS } from "./fields.ts";
import { hasStored, readStored, type StoredSettings } from "./stored.ts";

const NOTHING: StoredSettings = { revision: 0, values: {}, keyIsFor: undefined, versions: {} };

/** What is in force, and what of it is stored. */
export interface Resolved extends Effective {
  readonly stored: StoredSettings;
}

/**
 * Reads the settings: those of the environment and, where it leaves something open, those that were set in the browser.
 * @param without what is left out of those, as for {@link effective}
 * @throws ConfigError, and as `openStore`
 */
export async function resolve(env: Environment, without: readonly UnusedSetting[] = []): Promise<Resolved> {
  const stored = await storedAt(placeOf(env));
  return { ...effective(env, stored, without), stored };
}

/** The settings of the environment alone, which says where things are kept. @throws ConfigError for what nothing stored could mend */
export function placeOf(env: Environment): Config {
  try {
    return readConfig(env);
  } catch (error) {
    const given = givenBy(env);
    const canBeStored = ({ setting }: { readonly setting: string }) =>
      given[setting] === undefined && FIELDS.some(({ name }) => name === setting);
    if (!(error instanceof ConfigError) || !error.mistakes.every(canBeStored)) throw error;
    const { REELAY_DATA, REELAY_STORE, REELAY_SECRET, REELAY_LOG_LEVEL } = given;
    return readConfig({ REELAY_DATA, REELAY_STORE, REELAY_SECRET, REELAY_LOG_LEVEL });
  }
}

/** Nothing is made where nothing is yet. */
async function storedAt(place: Config): Promise<StoredSettings> {
  const { store, postgres } = place;
  // A folder that does not answer is told of by whoever needs it.
  const isThere = postgres !== undefined || ((await responds(store, ANSWER_MS)) && existsSync(store));
  if (!isThere) return NOTHING;
  const database = await openStore(place);
  try {
    if (!(await hasStored(database))) return NOTHING;
    const log = makeLogger({ level: "silent" });
    return await readStored(database, await openVault(place, database, log));
  } finally {
    await database.close();
  }
}
