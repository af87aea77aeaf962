import { access, constants } from "node:fs/promises";
import { ConfigError } from "../common/config-error.ts";
import { makeFolder } from "../common/disk.ts";
import type { ServerFacts } from "../infrastructure/storage/postgres/server.ts";
import { makeLogger } from "../infrastructure/telemetry/telemetry.ts";
import { openVault } from "../infrastructure/vault/open.ts";
import type { Check } from "../seam/surface/runtime.ts";
import type { Config } from "./config.ts";
import { openStore } from "./data-folder.ts";

/** A job takes some dozens of statements one after the other: farther away than this, in milliseconds, it is felt. */
const NEAR_MS = 20;

/** What the doctor says of a PostgreSQL database, and of the data folder beside it. */
export async function examineStore(
  config: Config & { readonly postgres: string },
): Promise<readonly Check[]> {
  const { examinePostgres, withoutPassword } = await import("../infrastructure/storage/postgres/connect.ts");
  const { unfit } = await import("../infrastructure/storage/postgres/server.ts");
  const address = withoutPassword(config.postgres);
  const lacking = (found: string, advice: string): Check => ({
    name: "storage",
    ok: false,
    found: `${address}: ${found}`,
    advice,
  });
  let server: ServerFacts;
  try {
    server = await examinePostgres(config.postgres);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return mistaken(error);
  }
  const wrong = unfit(server);
  if (wrong) return [lacking(wrong.found, `REELAY_STORE wants ${wrong.wanted}.`)];
  const lacks = [
    ...(server.flushes ? [] : [lacking("a power cut may destroy it (fsync is off)", inSettings("fsync"))]),
    ...(server.vacuums
      ? []
      : [lacking("it never learns how large its tables are (autovacuum is off)", inSettings("autovacuum"))]),
  ];
  if (lacks.length > 0) return lacks;
  const error = await openAll(config);
  if (error instanceof ConfigError) return mistaken(error);
  if (error !== undefined)
    return [lacking(error.message, "The data folder and the database must take what is kept.")];
  return [{ name: "storage", ok: true, found: `${address}: ${said(server)}` }];
}

const inSettings = (name: string) => `Set ${name} = on in the server's settings.`;

const mistaken = ({ mistakes }: ConfigError): readonly Check[] =>
  mistakes.map(({ setting, found, wanted }) => ({
    name: "storage",
    ok: false,
    found,
    advice: `${setting} wants ${wanted}.`,
  }));

/** Opens everything as a server does. @returns what is wrong with it */
async function openAll(config: Config): Promise<Error | undefined> {
  try {
    makeFolder(config.data);
    await access(config.data, constants.W_OK);
    const database = await openStore(config);
    try {
      await database.check();
      await openVault(config, database, makeLogger({ level: "silent" }));
    } finally {
      await database.close();
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function said({ version, commit, latencyMs, aheadMs, standbys: { exact, late } }: ServerFacts): string {
  const far = latencyMs > NEAR_MS ? ", which is far: a job takes dozens of turns" : "";
  const standbys =
    late > 0
      ? `${late} standby(s) that may lack what was confirmed last: never make one the primary`
      : exact > 0
        ? `${exact} synchronous standby(s)`
        : "no standby";
  const clocks = `clocks ${(Math.abs(aheadMs) / 1000).toFixed(1)} s apart`;
  return `PostgreSQL ${version}, ${latencyMs.toFixed(1)} ms away${far}; ${clocks}; synchronous_commit ${commit}; ${standbys}`;
}
