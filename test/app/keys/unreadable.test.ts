import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { examine } from "../../../src/app/doctor.ts";
import { warnOfUnreadable } from "../../../src/app/keys/unreadable.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { openVault } from "../../../src/infrastructure/vault/open.ts";
import type { Vault } from "../../../src/infrastructure/vault/vault.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const SECRET = "the secret that keys were stored under";
const NOWHERE = "http://127.0.0.1:1/api";

async function withVault<T>(env: Record<string, string>, work: (vault: Vault) => Promise<T>): Promise<T> {
  const config = readConfig(env);
  const database = await openDatabase(config.store);
  try {
    return await work(await openVault(config, database, makeLogger({ level: "silent" })));
  } finally {
    await database.close();
  }
}

/** A data folder with two keys, stored under what the settings say. */
async function withKeys(settings: Record<string, string>) {
  const env = { REELAY_API_URL: NOWHERE, REELAY_DATA: temporaryFolder(), ...settings };
  await withVault(env, async (vault) => {
    await vault.put("web:anna", "the-key-of-anna");
    await vault.put("http:shop", "the-key-of-a-shop");
  });
  return env;
}

const secretIn = async (env: NodeJS.ProcessEnv) =>
  (await examine(env)).filter(({ name }) => name === "secret");

it("the doctor says how many stored keys another REELAY_SECRET does not open, and what to set it to", async () => {
  const env = await withKeys({ REELAY_SECRET: SECRET });
  expect(await secretIn(env)).toEqual([]);
  const other = "another secret than the one before";
  expect(await secretIn({ ...env, REELAY_SECRET: other })).toEqual([
    {
      name: "secret",
      ok: false,
      found: "stored keys that cannot be read: 2",
      advice: expect.stringContaining("Set REELAY_SECRET to new,old"),
    },
  ]);
  expect(await secretIn({ ...env, REELAY_SECRET: `${other},${SECRET}` })).toEqual([]);
});

it("the doctor says where the line of a secret file goes that was lost", async () => {
  const env = await withKeys({});
  const file = join(env.REELAY_DATA, "secret");
  const before = await readFile(file, "utf8");
  await rm(file);
  expect(await secretIn(env)).toMatchObject([
    { ok: false, found: "stored keys that cannot be read: 2", advice: expect.stringContaining(file) },
  ]);
  await writeFile(file, `${await readFile(file, "utf8")}${before}`);
  expect(await secretIn(env)).toEqual([]);
});

it("a server starts though its keys cannot be counted, and says so", async () => {
  const warn = vi.fn<(...said: unknown[]) => void>();
  const err = new Error("the disk fails");
  const countUnreadable = () => Promise.reject(err);
  await warnOfUnreadable({ secret: SECRET, data: "data" }, { countUnreadable }, { warn });
  expect(warn.mock.calls).toEqual([[{ err }, expect.stringContaining("could not be found out")]]);
});

it("a server says once that stored keys cannot be read, and nothing where all can", async () => {
  const env = await withKeys({ REELAY_SECRET: SECRET });
  const warn = vi.fn<(...said: unknown[]) => void>();
  const start = (settings: Record<string, string>) =>
    withVault(settings, (vault) => warnOfUnreadable(readConfig(settings), vault, { warn }));
  await start(env);
  expect(warn).not.toHaveBeenCalled();
  await start({ ...env, REELAY_SECRET: "another secret than the one before" });
  expect(warn.mock.calls).toEqual([[{ unreadable: 2 }, expect.stringContaining("REELAY_SECRET to new,old")]]);
});
