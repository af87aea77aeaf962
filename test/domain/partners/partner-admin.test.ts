import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partnerUser, partnerVersion, SCOPES } from "../../../src/seam/access/partners.ts";
import { readConfig } from "../../../src/app/config.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { openKeyDesk } from "../../../src/app/key-admin.ts";
import { openPartnerAdmin } from "../../../src/app/partner-admin.ts";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { TokenUses } from "../../../src/domain/partners/token-uses.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import { sharedSource } from "../../../src/app/service.ts";
import { folderStore } from "../../../src/infrastructure/media/files/files.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { testCore, type TestCoreOptions } from "../../support/core.ts";
import { aRequest, endedJob } from "../../support/job.ts";
import { temporaryFolder, testSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { MemorySurface, person } from "../../support/surface.ts";
import { testVault } from "../../support/vault.ts";

const everything = { scopes: SCOPES } as const;

const asker = (id: string) => ({ ...person(id, "http"), audience: "partner" }) as const;

describe("looking after partners", () => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await testSandbox();
  });
  afterAll(() => sandbox.stop());

  /** A core whose shared key is the operator's, for whoever the settings name. */
  const paidCore = (options: TestCoreOptions = {}) => testCore(sandbox, { source: "operator", ...options });

  it("adds one with a key that works, encrypted, and a token", async () => {
    await using core = await paidCore();
    const { fresh, ...entry } = await core.partners.add("My Shop", { ...everything, key: sandbox.keys.pro });
    expect(entry).toMatchObject({
      partner: { id: "my-shop", name: "My Shop", platform: "my-shop", caps: {}, userCaps: {} },
      tokens: [{ id: fresh.info.id, scopes: SCOPES }],
      paidBy: "own",
    });
    expect(JSON.stringify(entry)).not.toContain("digest");
    expect((await core.vault.get("http:my-shop"))?.reveal()).toBe(sandbox.keys.pro);
    expect(await new PartnerBook(core.database).authenticate(fresh.token)).toMatchObject({
      partner: { id: "my-shop" },
    });
  });

  it("adds nobody with a key that the service refuses, and touches no other's", async () => {
    await using core = await paidCore();
    const wrong = { ...everything, key: "not-a-key-of-theirs" };
    await expect(core.partners.add("Shop", wrong)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(core.partners.add("Shop", { ...everything, key: "a b" })).rejects.toMatchObject({
      code: "field_invalid",
    });
    expect(await core.partners.list()).toEqual([]);
    await core.partners.add("Shop", { ...everything, key: sandbox.keys.pro });
    const again = { ...everything, key: sandbox.keys.ultra };
    await expect(core.partners.add("shop", again)).rejects.toMatchObject({ code: "partner_exists" });
    expect((await core.vault.get("http:shop"))?.reveal()).toBe(sandbox.keys.pro);
  });

  it.each([
    ["nobody", { source: "operator" }, null],
    ["the operator, who names them", { settings: { REELAY_OPERATOR_KEY_FOR: "http:my-shop" } }, "operator"],
    ["the operator, who pays for all", { settings: { REELAY_OPERATOR_KEY_FOR: "all" } }, "operator"],
    ["the sandbox", { source: "sandbox" }, "sandbox"],
  ] as const)("says who pays for one without a key: %s", async (_, options, paidBy) => {
    await using core = await paidCore(options);
    expect(await core.partners.add("My Shop", everything)).toMatchObject({ paidBy });
    expect(await core.partners.list()).toMatchObject([{ paidBy }]);
  });

  it("says that the operator pays whose keys were all added", async () => {
    const settings = { REELAY_API_URL: sandbox.url, REELAY_OPERATOR_KEY_FOR: "all" };
    await using core = await paidCore({ sharedKey: undefined, settings });
    expect(await core.partners.add("Shop", everything)).toMatchObject({ paidBy: null });
    const { config, database, vault } = core;
    const log = makeLogger({ level: "silent" });
    const desk = await openKeyDesk({ config, database, vault, log, by: "cli:me" });
    await desk.add("second", sandbox.keys.pro, {});
    expect(await core.partners.list()).toMatchObject([{ paidBy: "operator" }]);
    await desk.remove("second");
    expect(await core.partners.list()).toMatchObject([{ paidBy: null }]);
  });

  it("says of one whose key cannot be read any more that it is so, until they have another", async () => {
    await using core = await paidCore({ settings: { REELAY_OPERATOR_KEY_FOR: "all" } });
    await core.partners.add("Shop", { ...everything, key: sandbox.keys.pro });
    await memory(core.database, "keys").set("http:shop", "1.gone.a.b.c");
    expect(await core.partners.list()).toMatchObject([{ paidBy: "unreadable" }]);
    expect(await core.partners.setKey("shop", sandbox.keys.pro)).toMatchObject({ paidBy: "own" });
  });

  it("tells one what their own key has left, and nothing of what the operator's has", async () => {
    const settings = { REELAY_OPERATOR_KEY_FOR: "all" };
    await using core = await paidCore({ settings, surface: new MemorySurface("http") });
    await core.partners.add("Shop", everything);
    await core.partners.add("Club", { ...everything, key: sandbox.keys.pro });
    const quote = (id: string) => core.surface.intake.quote(asker(id), "image", { prompt: "a cat" });
    expect(await quote("club")).toMatchObject({ balance: expect.any(Number) });
    expect(await quote("shop")).toMatchObject({ balance: null });
  });

  it("changes what is given alone", async () => {
    await using core = await paidCore();
    const caps = { day: 5, atOnce: 2 };
    await core.partners.add("Shop", { ...everything, caps, userCaps: { month: 1 }, requestsPerMinute: 30 });
    const { partner } = await core.partners.set("shop", {
      platform: "kn",
      caps: { day: null, month: 9, atOnce: undefined },
    });
    expect(partner).toMatchObject({ platform: "kn", requestsPerMinute: 30, userCaps: { month: 1 } });
    expect(partner.caps).toEqual({ month: 9, atOnce: 2 });
    const trusted = await core.partners.set("shop", { gates: "asked", mature: true });
    expect(trusted.partner).toEqual({ ...partner, asksPeople: true, mature: true });
    expect((await core.partners.set("shop", { requestsPerMinute: 7 })).partner).toMatchObject({
      asksPeople: true,
      mature: true,
    });
    const back = await core.partners.set("shop", {
      gates: "vouched",
      mature: false,
      requestsPerMinute: partner.requestsPerMinute,
    });
    expect(back.partner).toEqual(partner);
    await expect(core.partners.set("nobody", {})).rejects.toMatchObject({ code: "partner_unknown" });
  });

  it("changes nothing for whoever saw something else, and does one of two changes of what both saw", async () => {
    await using core = await paidCore();
    const { partner } = await core.partners.add("Shop", everything);
    const seen = partnerVersion(partner);
    const both = await Promise.allSettled(
      [5, 6].map((day) => core.partners.set("shop", { caps: { day } }, seen)),
    );
    const failed = both.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(failed).toEqual([expect.objectContaining({ code: "changed_meanwhile" })]);
    const [now] = await core.partners.list();
    const done = both.flatMap((one) => (one.status === "fulfilled" ? [one.value.partner] : []));
    expect(done).toEqual([now?.partner]);
  });

  it("renews a token in one step: one in its place, for the same, and the old one opens nothing", async () => {
    await using core = await paidCore();
    const book = new PartnerBook(core.database);
    const expiresAt = Date.now() + 3_600_000;
    const { fresh } = await core.partners.add("Shop", { scopes: ["jobs:read"], expiresAt });
    const renewing = [1, 2].map(() => core.partners.rotateToken("shop", fresh.info.id));
    const both = await Promise.allSettled(renewing);
    const [renewed] = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failed = both.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(failed).toEqual([expect.objectContaining({ code: "token_unknown" })]);
    expect(await book.authenticate(fresh.token)).toBeUndefined();
    expect(await book.authenticate(renewed?.token ?? "")).toMatchObject({
      token: { scopes: ["jobs:read"], expiresAt },
    });
    expect((await book.find("shop")).tokens).toHaveLength(1);
  });

  it("writes down who did it", async () => {
    await using core = await paidCore();
    await core.partners.add("Shop", everything);
    const audit = await Audit.open(core.database, "digest");
    const lines = await audit.read({ user: "http:shop", limit: 9 });
    expect(lines.map(({ by, surface }) => [by, surface])).toEqual([
      ["cli:me", "cli"],
      ["cli:me", "cli"],
    ]);
  });

  it("makes and revokes tokens, each for its own purpose", async () => {
    await using core = await paidCore();
    const book = new PartnerBook(core.database);
    const { fresh } = await core.partners.add("Shop", everything);
    const reader = await core.partners.addToken("shop", { scopes: ["jobs:read"] });
    expect(await book.authenticate(reader.token)).toMatchObject({ token: { scopes: ["jobs:read"] } });
    await core.partners.revokeToken("shop", fresh.info.id);
    expect(await book.authenticate(fresh.token)).toBeUndefined();
    expect(await book.authenticate(reader.token)).toBeDefined();
    await expect(core.partners.revokeToken("shop", fresh.info.id)).rejects.toMatchObject({
      code: "token_unknown",
    });
  });

  it("keeps the key that a job was begun with as long as that needs it", async () => {
    await using core = await paidCore();
    await core.partners.add("Shop", { ...everything, key: sandbox.keys.pro });
    const keyId = (await core.vault.get("http:shop"))?.fingerprint ?? "";
    // Another process's: this one does not go on with it.
    await new Ledger(core.database, "other").add(aRequest({ user: "http:shop", surface: "http", keyId }), 1);
    await expect(core.partners.setKey("shop", sandbox.keys.ultra)).rejects.toMatchObject({
      code: "partner_jobs_open",
      params: { name: "shop", count: 1 },
    });
    expect(await core.partners.setKey("shop", sandbox.keys.pro)).toMatchObject({ paidBy: "own" });
  });

  it("removes one with everything, but not while a job goes on", async () => {
    const forgotten: string[] = [];
    await using core = await paidCore({ forgetPartner: async (user) => void forgotten.push(user) });
    const user = partnerUser("shop");
    const book = new PartnerBook(core.database);
    const { fresh } = await core.partners.add("Shop", { ...everything, key: sandbox.keys.pro });
    const ledger = new Ledger(core.database, "other");
    const job = await ledger.add(aRequest({ user, surface: "http" }), 1);
    await expect(core.partners.remove("shop")).rejects.toMatchObject({
      code: "partner_jobs_open",
      params: { name: "shop", count: 1 },
    });
    expect(await book.authenticate(fresh.token)).toBeDefined();
    const cancelled = await ledger.apply(job, { type: "cancelled", at: 2 });
    await ledger.apply(await ledger.apply(cancelled, { type: "delivering" }), { type: "delivered", at: 3 });
    await core.partners.remove("Shop");
    expect(forgotten).toEqual([user]);
    expect(await book.authenticate(fresh.token)).toBeUndefined();
    expect(await core.vault.get(user)).toBeUndefined();
    expect(await ledger.count({ user })).toBe(0);
    expect(await core.partners.list()).toEqual([]);
  });

  it("lets a removal that was stopped half-way be done again; nothing begins meanwhile", async () => {
    let tries = 0;
    await using core = await paidCore({
      forgetPartner: async () => {
        if ((tries += 1) === 1) throw new Error("no disk");
      },
    });
    const { fresh } = await core.partners.add("Shop", everything);
    await endedJob(new Ledger(core.database, "other"), { user: "http:shop" }, { at: 1, cost: 1 });
    await core.database.kysely.updateTable("jobs").set({ delivery: "delivered" }).execute();
    await expect(core.partners.remove("shop")).rejects.toThrow("no disk");
    expect(await new PartnerBook(core.database).authenticate(fresh.token)).toBeUndefined();
    expect(await core.partners.list()).toMatchObject([{ partner: { caps: { atOnce: 0 } }, tokens: [] }]);
    await core.partners.remove("shop");
    expect(await core.partners.list()).toEqual([]);
  });

  it("writes down what is done, by ids and numbers alone", async () => {
    await using core = await paidCore();
    const { partners } = core;
    const { fresh } = await partners.add("My Shop", { ...everything, caps: { day: 10 } });
    await partners.set("my-shop", { caps: { day: 20, atOnce: 2 }, userCaps: { month: 5 } });
    await partners.set("my-shop", { caps: { day: null }, gates: "asked", requestsPerMinute: 30 });
    await partners.set("my-shop", { gates: "asked" });
    await partners.setKey("my-shop", sandbox.keys.pro);
    const expiresAt = Date.UTC(2099, 0, 1);
    const other = await partners.addToken("my-shop", { scopes: ["jobs:read"], expiresAt });
    await partners.revokeToken("my-shop", other.info.id);
    const audit = await Audit.open(core.database, "digest");
    const lines = (await audit.read({ user: "http:my-shop", limit: 100 })).toReversed();
    expect(lines.map(({ act, rule }) => [act, rule])).toEqual([
      ["partner_add", null],
      ["token_add", `${fresh.info.id} ${SCOPES.join(",")}`],
      ["caps", "day 10 → 20, at_once none → 2, user_month none → 5"],
      ["caps", "day 20 → none"],
      ["partner_change", "requests_per_minute 600 → 30, gates vouched → asked"],
      ["partner_key", null],
      ["token_add", `${other.info.id} jobs:read until 2099-01-01T00:00:00.000Z`],
      ["token_revoke", other.info.id],
    ]);
    expect(lines.every(({ surface }) => surface === "cli")).toBe(true);
    for (const secret of [fresh.token, other.token, sandbox.keys.pro])
      expect(JSON.stringify(lines)).not.toContain(secret);
    await partners.remove("my-shop");
    const [removal, ...others] = await audit.read({ limit: 100 });
    expect(removal).toMatchObject({ act: "partner_remove", rule: "http:my-shop", user: null });
    expect(JSON.stringify(others)).not.toContain("my-shop");
  });

  it("knows of each token when it ends and when it was last used", async () => {
    await using core = await paidCore();
    const expiresAt = Date.UTC(2099, 0, 1);
    const { fresh } = await core.partners.add("Shop", { ...everything, expiresAt });
    expect((await core.partners.list())[0]?.tokens).toMatchObject([{ expiresAt, lastUsedAt: null }]);
    await new TokenUses(core.database, () => 5).note("shop", fresh.info.id);
    expect((await core.partners.list())[0]?.tokens).toMatchObject([{ expiresAt, lastUsedAt: 5 }]);
    await core.partners.revokeToken("shop", fresh.info.id);
    const kept = await core.database.kysely
      .selectFrom("kv")
      .selectAll()
      .where("namespace", "=", "token-uses")
      .execute();
    expect(kept).toEqual([]);
  });
});

it("starts no sandbox to tell who pays, only to try out a key", async () => {
  const data = temporaryFolder();
  const config = readConfig({ REELAY_DATA: data, REELAY_SECRET: "a secret for tests only" });
  const log = makeLogger({ level: "silent" });
  const database = await openDatabase(join(data, "reelay.db"));
  const vault = await testVault(config, database, log);
  const host = { config, database, files: folderStore(data), vault, log, shared: sharedSource(config) };
  const desk = await openPartnerAdmin({ ...host, forget: async () => {}, by: "cli:me" });
  try {
    expect(await desk.add("Shop", everything)).toMatchObject({ paidBy: "sandbox" });
    expect(await desk.list()).toMatchObject([{ paidBy: "sandbox" }]);
    expect(await readdir(data)).not.toContain("sandbox");
    await expect(desk.setKey("shop", "not-a-key-of-theirs")).rejects.toMatchObject({ code: "unauthorized" });
    expect(await readdir(data)).toContain("sandbox");
  } finally {
    await database.close();
  }
});

it("makes no test token where each of several nodes would have a sandbox of its own", async () => {
  const data = temporaryFolder();
  const settings = readConfig({ REELAY_DATA: data, REELAY_SECRET: "a secret for tests only" });
  // What is kept there does not matter: it is refused before anything is read.
  const shared = { postgres: "postgres://reelay@localhost/reelay", files: { folder: "/srv/shared" } };
  const config = { ...settings, ...shared };
  const log = makeLogger({ level: "silent" });
  const database = await openDatabase(join(data, "reelay.db"));
  const vault = await testVault(config, database, log);
  const host = { config, database, files: folderStore(data), vault, log, shared: sharedSource(config) };
  const desk = await openPartnerAdmin({ ...host, forget: async () => {}, by: "cli:me" });
  try {
    const test = { ...everything, test: true };
    await expect(desk.add("Shop", test)).rejects.toMatchObject({ code: "test_mode_missing" });
    await desk.add("Shop", everything);
    await expect(desk.addToken("Shop", test)).rejects.toMatchObject({ code: "test_mode_missing" });
    expect(await desk.list()).toMatchObject([{ tokens: [{ scopes: everything.scopes }] }]);
    await desk.remove("Shop");
  } finally {
    await database.close();
  }
});
