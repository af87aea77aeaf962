import { join } from "node:path";
import type { FilesPlace } from "../settings/files.ts";

/** What of the settings says where things are, and must be known here. */
interface Places {
  /** The data folder. */
  readonly data: string;
  /** The address of the PostgreSQL database that is used. */
  readonly postgres: string | undefined;
  readonly files: FilesPlace;
  readonly alerts: object;
}

/** Where everything of test tokens is, in the data folder. */
export const TEST_FOLDER = "test";

/**
 * Whether test tokens have somewhere to lead. Of several nodes that share a database each would have a sandbox of its own, and
 * know nothing of the others' jobs. One whose files are in its data folder is alone: no other starts on its database.
 */
export const hasTestMode = ({ data, postgres, files }: Omit<Places, "alerts">): boolean =>
  postgres === undefined || ("folder" in files && files.folder === data);

/**
 * The settings that test tokens stand on: a folder of their own in the data folder, and the built-in sandbox, whatever the service
 * is. Nothing in them leads to the service, opens it, or is paid; the rules are the same.
 */
export function testSettingsOf<S extends Places>(settings: S) {
  const data = join(settings.data, TEST_FOLDER);
  return {
    ...settings,
    apiUrl: undefined,
    apiUrlFullCatalog: undefined,
    apiKey: undefined,
    operatorKeyFor: [],
    data,
    store: join(data, "reelay.db"),
    postgres: undefined,
    files: { folder: data },
    telegram: undefined,
    telegramBot: undefined,
    discord: undefined,
    discordSignIn: undefined,
    // Nobody is told of it, and nobody counts it.
    alerts: { ...settings.alerts, to: [] },
    backups: undefined,
    metrics: undefined,
    tracing: undefined,
  };
}
