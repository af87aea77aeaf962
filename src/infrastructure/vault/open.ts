import { makeFolder } from "../../common/disk.ts";
import { join } from "node:path";
import type { Database } from "../storage/database.ts";
import type { Logger } from "../telemetry/telemetry.ts";
import { makeKeyring } from "./keyring.ts";
import { givenSecrets, secretsFile } from "./secrets.ts";
import { Vault } from "./vault.ts";

/** The vault that the settings describe: under `REELAY_SECRET`, else under a secret in the data folder. */
export async function openVault(
  { secret, data }: { readonly secret: string | undefined; readonly data: string },
  database: Database,
  log: Logger,
  stretch = makeKeyring,
): Promise<Vault> {
  if (secret !== undefined) return new Vault(database, givenSecrets(secret), stretch);
  makeFolder(data);
  return new Vault(database, secretsFile(join(data, "secret"), log), stretch);
}
