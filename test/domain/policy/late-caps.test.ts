import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { openPartnerAdmin } from "../../../src/app/partner-admin.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import { TestAuthenticator } from "../../../src/domain/partners/test-authenticator.ts";
import { countBegun } from "../../../src/domain/policy/begun-before.ts";
import { capsOfPartner, countUnder } from "../../../src/domain/policy/caps.ts";
import { partnerLeft } from "../../../src/domain/policy/left.ts";
import { UsageCounter } from "../../../src/domain/policy/usage-counter.ts";
import { folderStore } from "../../../src/infrastructure/media/files/files.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import type { Caps, PartnerAdmin, Partners } from "../../../src/seam/access/partners.ts";
import { startEngines, twoNodes } from "../../contract/storage/engines.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { testVault } from "../../support/vault.ts";

// A server keeps a clock of its own, which no test can set.
vi.mock(import("../../../src/common/time.ts"), async (original) => ({
  ...(await original()),
  currentTime: () => Date.now(),
}));

const NOON = Date.UTC(2030, 0, 30, 12);
const DAY_MS = 24 * 3_600_000;
const SHOP = "http:shop";

const engines = await startEngines();

describe.each(engines)("a partner's cap of jobs that is set late, on $name", (engine) => {
  let nodes: readonly [Database, Database];
  let desk: PartnerAdmin;
  let count = 0;
  beforeEach(async () => {
    nodes = await twoNodes(engine);
    const data = temporaryFolder();
    const config = readConfig({ REELAY_DATA: data, REELAY_SECRET: "a secret for tests only" });
    const log = makeLogger({ level: "silent" });
    const [, database] = nodes;
    const vault = await testVault(config, database, log);
    const host = { config, database, files: folderStore(data), vault, log, shared: "operator" } as const;
    vi.useFakeTimers({ toFake: ["Date"], now: NOON });
    desk = await openPartnerAdmin({ ...host, forget: async () => {}, by: "cli:me" });
    await desk.add("Shop", { scopes: [] });
  });
  afterEach(() => void vi.useRealTimers());

  const ledger = () => new Ledger(nodes[0], "one");

  /** Accepts a job, as the gate does. @returns undefined where a cap is reached */
  async function begin(name = "ann", inSandbox = false): Promise<Job | undefined> {
    const request = {
      user: SHOP,
      tags: { platform: "shop", inAppUsername: name },
      fingerprint: String((count += 1)),
      paidBy: inSandbox ? "sandbox" : "operator",
    } as const;
    try {
      return await ledger().add(aRequest(request), Date.now(), async (transaction, job) => {
        const partner = await new PartnerBook(transaction).ofUser(SHOP);
        if (!partner) throw new Error("There is none.");
        const caps = capsOfPartner(partner, name, { source: "operator" }, { key: {} }, inSandbox);
        await countUnder(caps, transaction, job, { cost: { price: 1, dearest: 1 }, warnAt: undefined });
      });
    } catch (error) {
      if (error instanceof ReelayError && error.code === "partner_period_cap") return undefined;
      throw error;
    }
  }

  /** How many of several begin. */
  async function begun(times: number, name = "ann", inSandbox = false): Promise<number> {
    const jobs: (Job | undefined)[] = [];
    for (let nth = 0; nth < times; nth++) jobs.push(await begin(name, inSandbox));
    return jobs.filter((job) => job).length;
  }

  const left = (inSandbox = false) => partnerLeft(nodes[0], SHOP, Date.now(), inSandbox);

  /** Ends a job, which gives back what it counts as. */
  async function cancel(job: Job | undefined): Promise<void> {
    if (!job) throw new Error("It was refused.");
    await ledger().apply(job, { type: "cancelled", at: Date.now() });
    await new UsageCounter(nodes[0]).giveBack(job);
  }

  /** Makes something, tells it, and erases it. */
  async function erase(job: Job | undefined): Promise<void> {
    if (!job) throw new Error("It was refused.");
    const at = Date.now();
    let step = await ledger().apply(job, { type: "submitting", at, balance: null });
    step = await ledger().apply(step, { type: "accepted", at, serviceId: job.id, cost: 1, balance: null });
    step = await ledger().apply(step, { type: "completed", at, result: [], cost: 1 });
    step = await ledger().apply(step, { type: "delivering" });
    await ledger().remove((await ledger().apply(step, { type: "delivered", at })).id);
  }

  it("counts what was begun before in its day and month", async () => {
    vi.setSystemTime(NOON - 31 * DAY_MS);
    await begun(1);
    vi.setSystemTime(NOON - DAY_MS);
    await begun(2);
    vi.setSystemTime(NOON);
    await begun(3);
    await desk.set("Shop", { caps: { day: 4, month: 7 } });
    expect(await left()).toMatchObject({ day: 1, month: 2 });
    expect(await begun(2)).toBe(1);
    await desk.set("Shop", { caps: { day: 10 } });
    expect(await begun(3)).toBe(1);
    vi.setSystemTime(NOON + DAY_MS);
    expect(await left()).toMatchObject({ day: 10, month: 0 });
  });

  it("counts no further one where as many were begun already, or more", async () => {
    await begun(3);
    await desk.set("Shop", { caps: { day: 2 } });
    expect(await left()).toMatchObject({ day: 0 });
    expect(await begun(2)).toBe(0);
  });

  it("counts it for each of their people", async () => {
    await begun(3, "ann");
    await begun(1, "ben");
    await desk.set("Shop", { userCaps: { day: 4, month: 3 } });
    expect(await begun(2, "ann")).toBe(0);
    expect(await begun(5, "ben")).toBe(2);
    expect(await begun(5, "cem")).toBe(3);
  });

  it("counts what was begun while it was cleared, and once what was begun while it was set", async () => {
    await desk.set("Shop", { caps: { day: 100 } });
    await begun(2);
    await desk.set("Shop", { caps: { day: null } });
    await begun(3);
    await desk.set("Shop", { caps: { day: 6 } });
    expect(await left()).toMatchObject({ day: 1 });
    await desk.set("Shop", { caps: { day: 7 } });
    expect(await left()).toMatchObject({ day: 2 });
  });

  it("gives back what comes to nothing, before or after, once", async () => {
    await cancel(await begin());
    const [open, other] = [await begin(), await begin()];
    await desk.set("Shop", { caps: { day: 3 }, userCaps: { month: 3 } });
    expect(await left()).toMatchObject({ day: 1 });
    await cancel(open);
    expect(await left()).toMatchObject({ day: 2 });
    await desk.set("Shop", { caps: { month: 3 } });
    await cancel(other);
    if (open) await new UsageCounter(nodes[0]).giveBack(open);
    expect(await left()).toMatchObject({ day: 3, month: 3 });
    expect(await begun(4)).toBe(3);
  });

  it("counts what was erased, and what failed and may have cost something", async () => {
    await erase(await begin());
    const failing = await begin();
    if (failing) {
      const at = Date.now();
      await ledger().apply(failing, {
        type: "failed",
        at,
        error: { code: "lost_track", params: {} },
        cost: null,
      });
      const refused = await begin();
      if (refused)
        await ledger().apply(refused, {
          type: "failed",
          at,
          error: { code: "job_failed", params: {} },
          cost: null,
        });
    }
    await desk.set("Shop", { caps: { day: 5 }, userCaps: { day: 3 } });
    expect(await left()).toMatchObject({ day: 3 });
    expect(await begun(4)).toBe(1);
  });

  it("counts play money apart", async () => {
    await begun(2, "ann", true);
    await begun(1, "ann", false);
    await desk.set("Shop", { caps: { day: 3 } });
    expect([await left(true), await left(false)]).toMatchObject([{ day: 1 }, { day: 2 }]);
    expect(await begun(3, "ann", true)).toBe(1);
    expect(await begun(3, "ann", false)).toBe(2);
  });

  it("counts what test tokens began, beside which a partner is a copy", async () => {
    const book = new PartnerBook(nodes[0]);
    const { partner } = await book.find("shop");
    const token = { id: "t", scopes: [], createdAt: 1 };
    let caps: Caps = {};
    const live: Partners = {
      authenticate: async () => ({ partner: { ...partner, caps }, token }),
      allowsOrigin: async () => false,
      isGood: async () => true,
    };
    const tests = new TestAuthenticator(live, book, countBegun);
    await tests.authenticate("");
    await begun(3, "ann", true);
    caps = { day: 5 };
    await tests.authenticate("");
    expect(await left(true)).toMatchObject({ day: 2 });
    expect(await begun(3, "ben", true)).toBe(2);
  });

  it("lets no more begin at the moment when it is set", async () => {
    await begun(3);
    const [jobs] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => begin())),
      desk.set("Shop", { caps: { day: 5 } }),
    ]);
    const all = 3 + jobs.filter((job) => job).length;
    expect(await left()).toMatchObject({ day: Math.max(0, 5 - all) });
    expect(await begun(6)).toBe(Math.max(0, 5 - all));
  });
});
