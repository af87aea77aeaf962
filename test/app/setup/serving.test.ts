import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/common/config-error.ts";
import { openAnyhow, Serving } from "../../../src/app/setup/serving.ts";
import { store } from "../../../src/app/setup/stored.ts";
import { readConfig } from "../../../src/app/config.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { testVault } from "../../support/vault.ts";

const log = makeLogger({ level: "silent" });

describe("a server that is opened anew", () => {
  it("is stopped before, and opened once however often that is asked for meanwhile", async () => {
    const said: string[] = [];
    let count = 0;
    const done = Promise.withResolvers<void>();
    const serving = new Serving(async () => {
      count += 1;
      const name = `server ${count}`;
      said.push(`${name} opens`);
      if (count === 2) done.resolve();
      return { stop: async () => void said.push(`${name} stops`) };
    }, log);
    await serving.start();
    serving.reopen();
    serving.reopen();
    await done.promise;
    await serving.stop();
    serving.reopen();
    expect(said).toEqual(["server 1 opens", "server 1 stops", "server 2 opens", "server 2 stops"]);
  });

  it("says when it cannot be opened any more", async () => {
    let count = 0;
    const serving = new Serving(async () => {
      count += 1;
      if (count > 1) throw new Error("no more");
      return { stop: async () => {} };
    }, log);
    await serving.start();
    serving.reopen();
    await expect(serving.failed).rejects.toThrow("no more");
    await serving.stop();
  });
});

describe("a start", () => {
  it("leaves out what was set in the browser and keeps it from starting", async () => {
    const env = { REELAY_DATA: temporaryFolder(), REELAY_SECRET: "a secret for tests only" };
    const config = readConfig(env);
    const database = await openDatabase(config.store);
    const vault = await testVault(config, database, log);
    const token = "123456789:AAabcdefghijklmnopqrstuvwxyz012345678";
    const change = { TELEGRAM_BOT_TOKEN: token, REELAY_DAILY_CAP: "3" };
    await store({ database, vault }, { over: 0, change, keyIsFor: undefined, by: "web:me" });
    await database.close();
    const tried: (string | undefined)[] = [];
    const running = await openAnyhow(env, log, async (settings) => {
      tried.push(settings.config.telegram?.token);
      if (settings.config.telegram)
        throw new ConfigError([
          { setting: "TELEGRAM_BOT_TOKEN", found: "a token of nobody's", wanted: "another" },
        ]);
      return settings;
    });
    expect(tried).toEqual([token, undefined]);
    expect(running.config.policy.dailyCap).toBe(3);
    expect(running.unused).toMatchObject([{ setting: "TELEGRAM_BOT_TOKEN" }]);
    const mistaken = new ConfigError([{ setting: "REELAY_HOST", found: "x", wanted: "y" }]);
    await expect(openAnyhow(env, log, () => Promise.reject(mistaken))).rejects.toBe(mistaken);
  });
});
