import { MediaApi, Transport } from "../../infrastructure/api/media-api.ts";
import { makeLogger } from "../../infrastructure/telemetry/telemetry.ts";
import { openVault } from "../../infrastructure/vault/open.ts";
import { OWN_KEY } from "../../seam/access/key-pool.ts";
import type { Check } from "../../seam/surface/runtime.ts";
import type { Config } from "../config.ts";
import { openStore } from "../data-folder.ts";
import { lookAtKey } from "../doctor-service.ts";
import { poolOf } from "../key-admin.ts";

/** The doctor's findings are what it prints. */
const log = makeLogger({ level: "silent" });

/**
 * Whether the service takes each key that was added to the operator's, and how many tokens it has; one that is paused or removed is left
 * alone. Nothing is changed by that: a running server looks at them itself.
 */
export async function examineKeys(config: Config): Promise<readonly Check[]> {
  const { apiUrl: baseUrl } = config;
  if (baseUrl === undefined) return [];
  const keys = await addedKeys(config);
  const transport = new Transport({ connectTimeoutMs: 5_000, headersTimeoutMs: 10_000 });
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
    const vault = await openVault(config, database, log);
    const keys = await poolOf({ config, database, vault, log }).all();
    return keys.filter(({ name, state }) => name !== OWN_KEY && state !== "paused" && state !== "removed");
  } finally {
    await database.close();
  }
}
