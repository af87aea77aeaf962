import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
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
      store({ database, vault }, { over, change, keyIsFor, by: "web:me" }),
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
      versions: { REELAY_API_URL: 1, REELAY_API_KEY: 1 },
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

  it("is written down with who did it and what it was, in the same step, and a secret without its value", async () => {
    await using at = await place();
    await at.store(0, { REELAY_DAILY_CAP: "1", TELEGRAM_BOT_TOKEN: "a-token-of-nobody" });
    await at.store(1, { REELAY_DAILY_CAP: undefined });
    await at.store(1, { REELAY_DAILY_CAP: "9" });
    const audit = await Audit.open(at.database, "digest");
    const lines = await audit.read({ act: "setting", limit: 9 });
    expect(lines.map(({ user, rule, content }) => [user, rule, content]).toReversed()).toEqual([
      ["web:me", "REELAY_DAILY_CAP", { from: null, to: "1" }],
      ["web:me", "TELEGRAM_BOT_TOKEN", null],
      ["web:me", "REELAY_DAILY_CAP", { from: "1", to: null }],
    ]);
    expect(JSON.stringify(lines)).not.toContain("a-token-of-nobody");
  });

  it("is told no more of somebody who wants to be forgotten; that it was changed stays", async () => {
    await using at = await place();
    await at.store(0, { REELAY_BLOCKED: "telegram:12,telegram:123" });
    await at.store(1, { REELAY_BLOCKED: "telegram:123" });
    const audit = await Audit.open(at.database, "digest");
    await audit.forget("telegram:1");
    const told = async () =>
      (await audit.read({ act: "setting", limit: 9 })).map(({ content }) => content !== null);
    expect(await told()).toEqual([true, true]);
    await audit.forget("telegram:12");
    expect(await told()).toEqual([false, false]);
  });

  it("is taken away", async () => {
    await using at = await place();
    await at.store(0, { REELAY_DAILY_CAP: "1", TELEGRAM_BOT_TOKEN: "one" });
    await at.store(1, { REELAY_DAILY_CAP: undefined, TELEGRAM_BOT_TOKEN: undefined });
    expect(await at.read()).toMatchObject({ revision: 2, values: {}, keyIsFor: undefined });
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
