import { join } from "node:path";
import { openKeyDesk } from "../../src/app/key-admin.ts";
import { readConfig } from "../../src/app/config.ts";
import { makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { OWN_KEY, type KeyDesk, type KeySettings } from "../../src/seam/access/key-pool.ts";
import { testCore, TIME_SCALE, type TestCore, type TestCoreOptions } from "./core.ts";
import { testDatabase } from "./database.ts";
import { temporaryFolder, type TestSandbox } from "./sandbox.ts";
import { testVault } from "./vault.ts";

/** A core whose operator has several keys. */
export interface PooledCore extends TestCore {
  readonly desk: KeyDesk;
}

/** A key of the operator's. */
interface OperatorKey extends KeySettings {
  readonly key: string;
}

const SECRET = "a secret for tests only";

const log = makeLogger({ level: "silent" });

/**
 * Opens and starts a core with a pool of keys; what they pay for is the operator's.
 * @param own that of the environment
 * @param others by their names: they are there before the core is
 */
export async function pooledCore(
  sandbox: TestSandbox,
  { key: own, ...settings }: OperatorKey,
  others: Readonly<Record<string, OperatorKey>> = {},
  options: Omit<TestCoreOptions, "sharedKey" | "source"> = {},
): Promise<PooledCore> {
  const { data = temporaryFolder() } = options;
  const env = {
    REELAY_API_URL: sandbox.url,
    REELAY_API_KEY: own,
    REELAY_DATA: data,
    REELAY_SECRET: SECRET,
    REELAY_RATE_WINDOW_MS: String(60_000 * TIME_SCALE),
  };
  await prepareKeys(env, async (desk) => {
    await desk.set(OWN_KEY, settings);
    for (const [name, { key, ...more }] of Object.entries(others)) await desk.add(name, key, more);
  });
  const core = await testCore(sandbox, {
    ...options,
    data,
    settings: { ...options.settings, REELAY_API_KEY: own },
    sharedKey: own,
    source: "operator",
  });
  const { config, database, vault } = core;
  return { ...core, desk: await openKeyDesk({ config, database, vault, log, by: "cli:me" }) };
}

/** Does something about keys while no core runs. @param env settings of whoever runs one */
export async function prepareKeys(
  env: Readonly<Record<string, string>>,
  work: (desk: KeyDesk) => Promise<void>,
): Promise<void> {
  const config = readConfig(env);
  const database = await testDatabase(join(config.data, "reelay.db"));
  try {
    const vault = await testVault(config, database, log);
    await work(await openKeyDesk({ config, database, vault, log, by: "cli:me" }));
  } finally {
    await database.close();
  }
}
