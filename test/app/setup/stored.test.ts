import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { resolve } from "../../../src/app/setup/resolve.ts";
import { readStored, store } from "../../../src/app/setup/stored.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { openVault } from "../../../src/infrastructure/vault/open.ts";
import { testDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const log = makeLogger({ level: "silent" });

/** A database and its vault. */
async function place() {
  const env = { REELAY_DATA: temporaryFolder() };
  const config = readConfig(env);
  const database = await testDatabase(config.store);
  const vault = await openVault(config, database, log);
  return {
    env,
    database,
    vault,
    read: () => readStored(database, vault),
    store: (over: number, change: Record<string, string | undefined>, keyIsFor?: string) =>
      store(vault, { over, change, keyIsFor }),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("what is set in the browser", () => {
  it("is kept, secrets encrypted, and read by whoever starts next", async () => {
    await using at = await place();
    const key = "a-key-that-nobody-is-to-see";
    const url = "https://a.example/api";
    expect(await at.store(0, { REELAY_API_URL: url, REELAY_API_KEY: key }, url)).toBe(true);
    expect(await at.read()).toEqual({
      revision: 1,
      values: { REELAY_API_URL: url, REELAY_API_KEY: key },
      keyIsFor: url,
    });
    for (const file of ["reelay.db", "reelay.db-wal"])
      expect((await readFile(join(at.env.REELAY_DATA, file))).includes(key)).toBe(false);
    const { config, stored } = await resolve(at.env);
    expect([config.apiUrl, config.apiKey, stored.revision]).toEqual([url, key, 1]);
  });

  it("is changed by one of two who began with the same, and by the other not at all", async () => {
    await using at = await place();
    const both = await Promise.all([
      at.store(0, { REELAY_DAILY_CAP: "1", TELEGRAM_BOT_TOKEN: "one" }),
      at.store(0, { REELAY_DAILY_CAP: "2", TELEGRAM_BOT_TOKEN: "two" }),
    ]);
    expect(both.toSorted()).toEqual([false, true]);
    const [cap, token] = both[0] ? ["1", "one"] : ["2", "two"];
    expect((await at.read()).values).toEqual({ REELAY_DAILY_CAP: cap, TELEGRAM_BOT_TOKEN: token });
  });

  it("is taken away", async () => {
    await using at = await place();
    await at.store(0, { REELAY_DAILY_CAP: "1", TELEGRAM_BOT_TOKEN: "one" });
    await at.store(1, { REELAY_DAILY_CAP: undefined, TELEGRAM_BOT_TOKEN: undefined });
    expect(await at.read()).toEqual({ revision: 2, values: {}, keyIsFor: undefined });
  });

  it("outlives a new secret", async () => {
    await using at = await place();
    await at.store(0, { TELEGRAM_BOT_TOKEN: "a-token" });
    expect(await at.vault.rotate()).toEqual({ rewritten: 1, unreadable: 0 });
    expect((await at.read()).values).toEqual({ TELEGRAM_BOT_TOKEN: "a-token" });
  });

  it("is nothing where nothing is yet, and nothing is made there", async () => {
    const env = { REELAY_DATA: join(temporaryFolder(), "new") };
    expect((await resolve(env)).stored.revision).toBe(0);
    await expect(readFile(join(env.REELAY_DATA, "reelay.db"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});
