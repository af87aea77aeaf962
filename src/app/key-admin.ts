import { Accounts, type Account } from "../domain/accounts/accounts.ts";
import { Audit } from "../domain/audit/audit.ts";
import { countJobs } from "../domain/jobs/count.ts";
import { keyCards } from "../domain/operators/key-cards.ts";
import { PoolDesk } from "../domain/operators/key-desk.ts";
import { KeyPool } from "../domain/pool/key-pool.ts";
import { MediaApi, type User } from "../infrastructure/api/media-api.ts";
import { Limiter } from "../infrastructure/queue/limiter.ts";
import { WindowLog } from "../infrastructure/queue/window-log.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import { type Logger, makeLogger } from "../infrastructure/telemetry/telemetry.ts";
import { openVault } from "../infrastructure/vault/open.ts";
import { StoredKey } from "../infrastructure/vault/stored-key.ts";
import type { Vault } from "../infrastructure/vault/vault.ts";
import { type KeyCard, type KeyDesk, OWN_KEY } from "../seam/access/key-pool.ts";
import type { Check } from "../seam/surface/runtime.ts";
import type { UserId } from "../seam/values.ts";
import type { Config } from "./config.ts";
import { openStore } from "./data-folder.ts";
import { limiterOf, transportOf } from "./egress/open.ts";
import { lookAtKey } from "./doctor-service.ts";
import { openService } from "./service.ts";

/** What a key is tried out with. */
interface KeyTrialParts {
  readonly config: Config;
  readonly database: Database;
  readonly vault: Vault;
  readonly log: Logger;
}

/**
 * Asks the service about a key, inside the limits that other processes keep to as well.
 * @throws ReelayError `unauthorized` where the service does not take it
 */
export async function tryKey(
  { config, database, log, vault }: KeyTrialParts,
  user: UserId,
  key: string,
): Promise<{ readonly account: Account; readonly info: User }> {
  await using opened = new AsyncDisposableStack();
  const transport = transportOf(config);
  opened.defer(() => transport.close());
  const service = await openService(config, transport, log);
  opened.defer(() => service.stop());
  const limiter = limiterOf(config, database, transport);
  opened.defer(() => limiter.stop());
  const pool = new KeyPool({ database, vault, log, own: undefined, service: service.hosts.primary });
  const { operatorKeyFor } = config;
  const parts = { ...service, transport, vault, pool, limiter, operatorKeyFor } as const;
  const account = new Accounts({ ...parts, source: "operator" }).tryOut(user, key);
  return { account, info: await account.api().info() };
}

/** What the operator's keys are looked after over. */
interface KeyAdminHost extends KeyTrialParts {
  /** Who looks after them. */
  readonly by: UserId;
}

/** Opens the desk over a database that other processes may use meanwhile; the service only where a key is tried out. */
export async function openKeyDesk(host: KeyAdminHost): Promise<KeyDesk> {
  const { by, config, database, vault } = host;
  return new PoolDesk({
    database,
    vault,
    by,
    service: config.apiUrl,
    pool: poolOf(host),
    audit: await Audit.open(database, "digest"),
    jobsOf: jobsIn(database),
    accountOf: async (key) => (await tryKey(host, by, key)).info.id,
  });
}

/** What the console shows of the operator's keys; the service is not asked. */
export async function lookAtKeys(host: KeyTrialParts): Promise<readonly KeyCard[]> {
  const { config, database } = host;
  return keyCards({
    database,
    pool: poolOf(host),
    limiter: new Limiter({ log: new WindowLog(database, config.rateWindowMs) }),
    audit: await Audit.open(database, "digest"),
    jobsOf: jobsIn(database),
  });
}

/** The keys that settings and database have; none where there is only the sandbox. */
function poolOf({ config, ...parts }: KeyTrialParts): KeyPool {
  const { apiKey, apiUrl: service } = config;
  const own = service === undefined || apiKey === undefined ? undefined : new StoredKey(apiKey);
  return new KeyPool({ ...parts, own, service: service ?? "" });
}

/** Counts the jobs of a key that something is still to come of. */
const jobsIn = (database: Database) => async (keyId: string) => ({
  all: await countJobs(database, { keyId, goingOn: true }),
  inDoubt: await countJobs(database, { keyId, goingOn: true, states: ["submitting", "unsure"] }),
});

/** The doctor's findings are what it prints. */
const silent = makeLogger({ level: "silent" });

/**
 * Whether the service takes each key that was added to the operator's, and how many tokens it has; one that is paused or removed is left
 * alone. Nothing is changed by that: a running server looks at them itself.
 */
export async function examineKeys(config: Config): Promise<readonly Check[]> {
  const { apiUrl: baseUrl } = config;
  if (baseUrl === undefined) return [];
  const keys = await addedKeys(config);
  const transport = transportOf(config, { connectTimeoutMs: 5_000, headersTimeoutMs: 10_000 });
  try {
    const looks = keys.map(async ({ name, key }): Promise<Check> => {
      const api = new MediaApi({ baseUrl, key: key.reveal(), transport, retry: { attempts: 2 } });
      const { ok, found } = (await lookAtKey(api)).check;
      const check = { name: "key", ok, found: `${name}: ${found}` };
      const advice = `Make a new key in the service's dashboard: reelay keys remove ${name}, then reelay keys add.`;
      return ok ? check : Object.assign(check, { advice });
    });
    return await Promise.all(looks);
  } finally {
    await transport.close();
  }
}

async function addedKeys(config: Config) {
  const database = await openStore(config);
  try {
    const vault = await openVault(config, database, silent);
    const keys = await poolOf({ config, database, vault, log: silent }).all();
    return keys.filter(({ name, state }) => name !== OWN_KEY && state !== "paused" && state !== "removed");
  } finally {
    await database.close();
  }
}
