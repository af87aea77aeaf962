import { ConfigError } from "../../common/config-error.ts";
import { makeFolder } from "../../common/disk.ts";
import { join } from "node:path";
import type { Database } from "../storage/database.ts";
import { dialectOf } from "../storage/dialect.ts";
import type { Logger } from "../telemetry/telemetry.ts";
import { makeKeyring } from "./keyring.ts";
import { givenSecrets, refuseEmpty, secretsFile } from "./secrets.ts";
import { Vault } from "./vault.ts";

/** The file of secrets in a data folder. */
export const secretPath = (data: string) => join(data, "secret");

/**
 * The vault that the settings describe: under `REELAY_SECRET`, else under a secret in the data folder.
 * @throws ConfigError where that file is there without a secret; and where several machines may share the database, and this one cannot read what is kept there: it would write
 * what the others cannot
 */
export async function openVault(
  { secret, data }: { readonly secret: string | undefined; readonly data: string },
  database: Database,
  log: Logger,
  stretch = makeKeyring,
): Promise<Vault> {
  const path = secretPath(data);
  if (secret === undefined) {
    makeFolder(data);
    refuseEmpty(path);
  }
  const secrets = secret === undefined ? secretsFile(path, log) : givenSecrets(secret);
  const vault = new Vault(database, secrets, stretch);
  if (dialectOf(database.kysely).hasFiles || (await vault.fits())) return vault;
  const found =
    secret === undefined
      ? "nothing, and that of the data folder is another one than what is kept in the database was encrypted with"
      : "another one than what is kept in the database was encrypted with";
  throw new ConfigError([{ setting: "REELAY_SECRET", found, wanted: "the one that the other nodes have" }]);
}
