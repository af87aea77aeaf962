import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { keyCards } from "../../../src/domain/operators/key-cards.ts";
import { PoolDesk } from "../../../src/domain/operators/key-desk.ts";
import { KeyPool } from "../../../src/domain/pool/key-pool.ts";
import { keyVersion } from "../../../src/seam/access/key-pool.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { StoredKey } from "../../../src/infrastructure/vault/stored-key.ts";
import { givenSecrets } from "../../../src/infrastructure/vault/secrets.ts";
import { Vault } from "../../../src/infrastructure/vault/vault.ts";
import { testDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { knownKeyring, testVault } from "../../support/vault.ts";

const SERVICE = "https://media.example/api";
const OWN = new StoredKey("the-key-of-the-environment");
const log = makeLogger({ level: "silent" });

let database: Database;
let vault: Vault;

beforeEach(async () => {
  const data = temporaryFolder();
  database = await testDatabase(join(data, "reelay.db"));
  vault = await testVault(
    readConfig({ REELAY_DATA: data, REELAY_SECRET: "a secret for tests only" }),
    database,
    log,
  );
  vi.useFakeTimers({ toFake: ["Date"] });
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

const aPool = (own: StoredKey | null = OWN, service = SERVICE) =>
  new KeyPool({ database, vault, own: own ?? undefined, service, log });

/** Keys and their accounts, as the service knows them. */
const ACCOUNTS: Readonly<Record<string, number>> = {
  "the-key-of-the-environment": 1,
  "the-key-of-two": 2,
  "the-other-key-of-two": 2,
  "the-key-of-three": 3,
};

const inDoubt = new Map<string, number>();

async function aDesk(service: string | null = SERVICE) {
  const audit = await Audit.open(database, "digest");
  const desk = new PoolDesk({
    database,
    vault,
    audit,
    by: "cli:me",
    service: service ?? undefined,
    pool: aPool(),
    jobsOf: async (id) => ({ all: 2, inDoubt: inDoubt.get(id) ?? 0 }),
    async accountOf(key) {
      const account = ACCOUNTS[key];
      if (account === undefined) throw new ReelayError("unauthorized");
      return account;
    },
  });
  return { desk, audit };
}

const statesIn = async (pool: KeyPool) =>
  Object.fromEntries((await pool.all()).map(({ name, state }) => [name, state]));

/** Another process believes what it read for a second. */
const later = () => vi.advanceTimersByTime(1_000);

it("is the key of the environment where nothing else was said", async () => {
  const pool = aPool();
  expect(await pool.all()).toMatchObject([
    { id: OWN.fingerprint, name: "REELAY_API_KEY", state: "in", weight: 1 },
  ]);
  expect(await aPool(null).all()).toHaveLength(0);
  expect(await pool.has(OWN.fingerprint)).toBe(true);
  expect(await pool.has("another")).toBe(false);
});

it("tells every process within a second that a key left, and that it is back", async () => {
  const [one, other] = [aPool(), aPool()];
  expect(await statesIn(other)).toEqual({ REELAY_API_KEY: "in" });
  await one.leave(OWN.fingerprint, "refused");
  expect(await statesIn(one)).toEqual({ REELAY_API_KEY: "refused" });
  later();
  expect(await statesIn(other)).toEqual({ REELAY_API_KEY: "refused" });
  await other.looked(OWN.fingerprint, 5);
  later();
  expect(await statesIn(one)).toEqual({ REELAY_API_KEY: "in" });
});

it("knows a key of the environment as the operator's after another one took its place", async () => {
  await aPool().noteOwn();
  const replaced = aPool(new StoredKey("another"));
  expect(await replaced.has(OWN.fingerprint)).toBe(true);
  expect((await replaced.all()).map(({ id }) => id)).not.toContain(OWN.fingerprint);
});

it("takes no key that can be none, and says what is wrong with it", async () => {
  const { desk } = await aDesk();
  for (const [given, wanted] of [
    ['"the-key-of-two"', "wanted.key_unquoted"],
    ["Bearer the-key-of-two", "wanted.key_alone"],
    ["the-kéy-of-two", "wanted.key_plain"],
  ] as const)
    await expect(desk.add("second", given, {})).rejects.toMatchObject({
      code: "field_invalid",
      params: { field: "key", wanted },
    });
  expect(await desk.list()).toHaveLength(1);
});

it("keeps an added key for its service alone, encrypted, and never shows it", async () => {
  const { desk, audit } = await aDesk();
  const added = await desk.add("second", " the-key-of-two\n", { weight: 3, tier: "pro" });
  expect(added).toEqual({
    name: "second",
    state: "in",
    since: added.since,
    weight: 3,
    tier: "pro",
    left: null,
    jobs: 2,
  });
  expect((await aPool().all()).map(({ name, key }) => [name, key.reveal()])).toEqual([
    ["REELAY_API_KEY", "the-key-of-the-environment"],
    ["second", "the-key-of-two"],
  ]);
  expect(await aPool(OWN, "https://elsewhere.example/api").all()).toHaveLength(1);
  const kept = await database.kysely.selectFrom("kv").selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain("the-key-of-two");
  expect(await vault.known.findIn("my key is the-key-of-two, keep it")).toBeDefined();
  expect(await audit.read({ limit: 9 })).toMatchObject([
    { act: "pool_key", rule: "second added", user: "cli:me", surface: "cli" },
  ]);
});

it("refuses names, keys and accounts that are there already, and keys that the service does not take", async () => {
  const { desk } = await aDesk();
  const refusal = (name: string, key: string) =>
    desk.add(name, key, {}).then(
      () => undefined,
      (error: unknown) => (error as ReelayError).code,
    );
  expect(await refusal("Second!", "the-key-of-two")).toBe("key_name");
  expect(await refusal("second", "nobodys")).toBe("unauthorized");
  expect(await refusal("second", OWN.reveal())).toBe("key_in_pool");
  expect(await refusal("second", "the-key-of-two")).toBeUndefined();
  expect(await refusal("second", "the-key-of-three")).toBe("key_name_taken");
  expect(await refusal("third", "the-key-of-two")).toBe("key_in_pool");
  expect(await refusal("third", "the-other-key-of-two")).toBe("key_same_account");
  const { desk: sandboxed } = await aDesk(null);
  await expect(sandboxed.add("third", "the-key-of-three", {})).rejects.toMatchObject({
    code: "key_no_service",
  });
  expect((await desk.list()).map(({ name }) => name)).toEqual(["REELAY_API_KEY", "second"]);
});

it("lets a new key of an account in once the old one was removed and nothing of it is in doubt", async () => {
  const { desk } = await aDesk();
  await desk.add("second", "the-key-of-two", {});
  expect(await desk.remove("second")).toMatchObject({ state: "removed" });
  const { fingerprint } = new StoredKey("the-key-of-two");
  inDoubt.set(fingerprint, 1);
  await expect(desk.add("again", "the-other-key-of-two", {})).rejects.toMatchObject({
    code: "key_same_account",
  });
  inDoubt.delete(fingerprint);
  expect(await desk.add("again", "the-other-key-of-two", {})).toMatchObject({ state: "in" });
});

it("does not let a refused key come back by itself while another one of its account is in its place", async () => {
  const { desk } = await aDesk();
  const pool = aPool();
  await desk.add("second", "the-key-of-two", {});
  const { fingerprint } = new StoredKey("the-key-of-two");
  await pool.leave(fingerprint, "refused");
  later();
  await desk.add("stead", "the-other-key-of-two", {});
  later();
  await pool.looked(fingerprint, 5);
  expect(await statesIn(pool)).toMatchObject({ second: "refused", stead: "in" });
  await desk.remove("stead");
  later();
  await pool.looked(fingerprint, 5);
  expect(await statesIn(pool)).toMatchObject({ second: "in", stead: "removed" });
});

it("does what whoever runs Reelay wants, writes that down, and forgets a removed key once nothing needs it", async () => {
  const { desk, audit } = await aDesk();
  await desk.add("second", "the-key-of-two", {});
  expect(await desk.set("second", { weight: 9, tier: "ultra" })).toMatchObject({ weight: 9, tier: "ultra" });
  expect(await desk.pause("REELAY_API_KEY")).toMatchObject({ state: "paused" });
  const pool = aPool();
  await pool.leave(OWN.fingerprint, "refused");
  expect(await statesIn(pool)).toEqual({ REELAY_API_KEY: "paused", second: "in" });
  expect(await desk.resume("REELAY_API_KEY")).toMatchObject({ state: "in" });
  await expect(desk.remove("REELAY_API_KEY")).rejects.toMatchObject({ code: "key_of_environment" });
  await expect(desk.pause("nobody")).rejects.toMatchObject({ code: "key_unknown" });
  await desk.remove("second");
  const rules = (await audit.read({ limit: 9 })).map(({ rule }) => rule);
  expect(rules).toEqual([
    "second removed",
    "REELAY_API_KEY in",
    "REELAY_API_KEY paused",
    "second weight 9, tier ultra",
    "second added",
  ]);
  const { fingerprint } = new StoredKey("the-key-of-two");
  later();
  // A process may have asked for something with it just before.
  expect(await pool.removed()).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(await aPool().removed()).toEqual([fingerprint]);
  expect(await vault.known.knowsOf(`pool ${fingerprint}`)).toBe(true);
  await pool.erase(fingerprint);
  expect(await pool.has(fingerprint)).toBe(false);
  expect(await vault.known.knowsOf(`pool ${fingerprint}`)).toBe(false);
  expect(await vault.has(`pool ${fingerprint}`)).toBe(false);
});

it("does nothing about a key that is another than the one that was seen", async () => {
  const { desk, audit } = await aDesk();
  const second = await desk.add("second", "the-key-of-two", {});
  const seen = keyVersion(second);
  expect(await desk.pause("second", seen)).toMatchObject({ state: "paused" });
  const { desk: another } = await aDesk();
  for (const press of [
    () => another.pause("second", seen),
    () => another.set("second", { weight: 7 }, seen),
    () => another.remove("second", seen),
  ])
    await expect(press()).rejects.toMatchObject({ code: "changed_meanwhile" });
  expect(await desk.set("second", { weight: 7, tier: "pro" }, "paused 1 any")).toMatchObject({ weight: 7 });
  expect(await desk.set("second", { tier: null })).toMatchObject({ weight: 7, tier: null });
  const rules = (await audit.read({ limit: 9 })).map(({ rule }) => rule);
  expect(rules).toEqual(["second tier any", "second weight 7, tier pro", "second paused", "second added"]);
});

it("takes a removed key back until it is erased, but not beside another one of its account", async () => {
  const { desk } = await aDesk();
  await desk.add("second", "the-key-of-two", {});
  await desk.remove("second");
  const pool = aPool();
  vi.advanceTimersByTime(60_000);
  const [gone = ""] = await pool.removed();
  // Between the look at what nothing needs and the end of it.
  expect(await desk.resume("second")).toMatchObject({ state: "in" });
  await pool.erase(gone);
  expect(await statesIn(aPool())).toMatchObject({ second: "in" });
  await desk.remove("second");
  await desk.add("again", "the-other-key-of-two", {});
  await expect(desk.resume("second")).rejects.toMatchObject({ code: "key_same_account" });
  await pool.erase(gone);
  const { desk: another } = await aDesk();
  await expect(another.resume("second")).rejects.toMatchObject({ code: "key_unknown" });
  expect(await statesIn(aPool())).toEqual({ REELAY_API_KEY: "in", again: "in" });
});

it("lists a key that cannot be read any more, takes no job with it, and takes it again", async () => {
  const { desk } = await aDesk();
  await desk.add("second", "the-key-of-two", { weight: 7 });
  await desk.add("third", "the-key-of-three", {});
  await desk.pause("third");
  vault = new Vault(database, givenSecrets("another secret for tests only"), knownKeyring);
  expect(await statesIn(aPool())).toEqual({ REELAY_API_KEY: "in" });
  const { desk: after, audit } = await aDesk();
  expect(await after.list()).toMatchObject([
    { name: "REELAY_API_KEY", state: "in" },
    { name: "second", state: "unreadable", weight: 7 },
    { name: "third", state: "unreadable" },
  ]);
  const limiter = { windowsOf: async () => [] };
  const cards = await keyCards({ database, pool: aPool(), limiter, audit, jobsOf: async () => ({ all: 0 }) });
  expect(cards[1]).toMatchObject({ name: "second", state: "unreadable", version: "in 7 any" });
  expect(await after.remove("third", "paused 1 any")).toMatchObject({ state: "removed" });
  expect(await after.add("second", "the-key-of-two", {})).toMatchObject({ state: "in", weight: 1 });
  later();
  expect(await statesIn(aPool())).toEqual({ REELAY_API_KEY: "in", second: "in" });
  await expect(after.add("second", "the-key-of-two", {})).rejects.toMatchObject({ code: "key_in_pool" });
});
