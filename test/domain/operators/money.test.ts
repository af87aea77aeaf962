import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hold } from "../../../src/domain/budgets/spending.ts";
import { Ledger, type NewJob } from "../../../src/domain/jobs/ledger.ts";
import { daysOf, lookAtMoney, moneyRows } from "../../../src/domain/operators/money.ts";
import { PartnerBook } from "../../../src/domain/partners/partner-book.ts";
import {
  budgetsOfKey,
  budgetsOfPartner,
  budgetsOfUser,
  type OperatorBudgets,
} from "../../../src/domain/policy/budgets.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import type { Partner } from "../../../src/seam/access/partners.ts";
import { aRequest, endedJob } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const DAY_MS = 86_400_000;
const NOON = Date.parse("2026-03-11T12:00:00Z");

const NO_BUDGETS: OperatorBudgets = { person: {}, chat: {}, key: {}, warnAt: undefined };

let database: Database;
let ledger: Ledger;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  ledger = new Ledger(database, "one");
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

const money = (
  period: Parameters<typeof lookAtMoney>[1] = "month",
  budgets = NO_BUDGETS,
  inSandbox = false,
) => lookAtMoney({ database, policy: { budgets }, inSandbox }, period);

let count = 0;
const made = (more: Partial<NewJob>, cost: number, daysAgo = 0) =>
  endedJob(
    ledger,
    { fingerprint: String(++count), ...more },
    { at: NOON - daysAgo * DAY_MS, cost, seconds: 1 },
  );
const failed = (more: Partial<NewJob>, cost: number, daysAgo = 0) =>
  endedJob(ledger, { fingerprint: String(++count), ...more }, { at: NOON - daysAgo * DAY_MS, cost });

const aPartner = (id: string, caps: Partner["caps"]): Partner => ({
  id,
  name: id,
  platform: id,
  createdAt: 1,
  caps,
  userCaps: {},
  requestsPerMinute: 60,
});

const named = (sums: readonly { name: string; tokens: number }[]) =>
  sums.map(({ name, tokens }) => [name, tokens]);

describe("the days of a period", () => {
  it("are those of UTC", () => {
    expect(daysOf("month", NOON)).toEqual({ since: "2026-03-01", until: "2026-03-11" });
    expect(daysOf("last_month", NOON)).toEqual({ since: "2026-02-01", until: "2026-02-28" });
    expect(daysOf("last_month", Date.UTC(2028, 0, 1))).toEqual({ since: "2027-12-01", until: "2027-12-31" });
    expect(daysOf("thirty_days", NOON)).toEqual({ since: "2026-02-10", until: "2026-03-11" });
  });
});

describe("what tokens go to", () => {
  it("is nothing where nothing was made", async () => {
    const { days, total, operations, budgets, costly, forecast } = await money();
    expect(days.map(({ name, tokens }) => [name, tokens])).toEqual(
      Array.from({ length: 11 }, (_, nth) => [`2026-03-${String(nth + 1).padStart(2, "0")}`, 0]),
    );
    expect(total).toEqual({ jobs: 0, completed: 0, failed: 0, unsure: 0, tokens: 0, failedTokens: 0 });
    expect([operations, budgets, costly]).toEqual([[], [], []]);
    expect(forecast.tokens).toBeNull();
  });

  it("is told by day, operation, platform, partner and who paid, the dearest first", async () => {
    await made({ operation: "image", paidBy: "operator" }, 0.5, 1);
    await made({ operation: "video", paidBy: "operator" }, 2.7, 1);
    await made({ user: "http:shop", surface: "http", paidBy: "own" }, 4.2, 2);
    await failed({ user: "telegram:1", surface: "telegram" }, 1.1, 2);
    await made({}, 9, 30);
    const { days, total, operations, platforms, partners, payers, since, until } = await money();
    expect([since, until]).toEqual(["2026-03-01", "2026-03-11"]);
    expect(total).toEqual({ jobs: 4, completed: 3, failed: 1, unsure: 0, tokens: 8.5, failedTokens: 1.1 });
    expect(days.filter(({ jobs }) => jobs > 0).map(({ name, tokens }) => [name, tokens])).toEqual([
      ["2026-03-09", 5.3],
      ["2026-03-10", 3.2],
    ]);
    expect(named(operations)).toEqual([
      ["video", 8],
      ["image", 0.5],
    ]);
    expect(named(platforms)).toEqual([
      ["http", 4.2],
      ["web", 3.2],
      ["telegram", 1.1],
    ]);
    expect(named(partners)).toEqual([["shop", 4.2]]);
    expect(named(payers)).toEqual([
      ["own", 4.2],
      ["operator", 3.2],
      ["", 1.1],
    ]);
    expect((await money("last_month")).total.tokens).toBe(9);
    expect((await money("thirty_days")).total.tokens).toBe(8.5);
    const rows = await moneyRows({ database, policy: { budgets: NO_BUDGETS }, inSandbox: false }, "month");
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({ day: "2026-03-09", platform: "http", partner: "shop", payer: "own" });
  });

  it("is nothing that the sandbox asked for, but in the sandbox, where it is all", async () => {
    await made({ paidBy: "sandbox" }, 20, 6);
    const lost = await failed({ paidBy: "sandbox" }, 30, 5);
    await made({ paidBy: "own" }, 2, 1);
    const ours = await failed({}, 0.5, 1);
    const real = await money();
    expect(real.total).toMatchObject({ jobs: 2, tokens: 2.5, failedTokens: 0.5 });
    expect(named(real.days).filter(([, tokens]) => tokens !== 0)).toEqual([["2026-03-10", 2.5]]);
    expect(named(real.payers)).toEqual([
      ["own", 2],
      ["", 0.5],
    ]);
    expect(real.costly.map(({ id }) => id)).toEqual([ours]);
    // One whole day of a service's tokens says nothing of a month yet.
    expect(real.forecast).toMatchObject({ soFar: 2.5, days: 1, tokens: null });
    const play = await money("month", NO_BUDGETS, true);
    expect(play.total).toMatchObject({ jobs: 2, tokens: 50, failedTokens: 30 });
    expect(named(play.payers)).toEqual([["sandbox", 50]]);
    expect(play.costly.map(({ id }) => id)).toEqual([lost]);
    expect(play.forecast).toMatchObject({ soFar: 50, days: 6 });
    const rows = (inSandbox: boolean) =>
      moneyRows({ database, policy: { budgets: NO_BUDGETS }, inSandbox }, "month");
    expect((await rows(false)).map(({ payer }) => payer)).toEqual(["", "own"]);
    expect((await rows(true)).map(({ payer }) => payer)).toEqual(["sandbox", "sandbox"]);
  });

  it("leads to what failed and cost, and to what nobody knows the cost of", async () => {
    const paid = await failed({}, 3);
    await failed({}, 0);
    let lost = await ledger.add(aRequest({ fingerprint: "lost" }), NOON);
    lost = await ledger.apply(lost, { type: "submitting", at: NOON, balance: null });
    lost = await ledger.apply(lost, { type: "lost", at: NOON });
    const error = { code: "lost_track", params: {} } as const;
    await ledger.apply(lost, { type: "failed", at: NOON, error, cost: null });
    const refused = await ledger.add(aRequest({ fingerprint: "refused" }), NOON);
    const why = { code: "tokens_missing", params: {} } as const;
    await ledger.apply(refused, { type: "failed", at: NOON, error: why, cost: null });
    await failed({}, 7, 40);
    const { costly, moreCostly, total } = await money();
    expect(new Map(costly.map(({ id, cost, error: code }) => [id, [cost, code]]))).toEqual(
      new Map([
        [paid, [3, "job_failed"]],
        [lost.id, [null, "lost_track"]],
      ]),
    );
    expect(moreCostly).toBe(false);
    expect(total).toMatchObject({ failed: 3, unsure: 1, failedTokens: 3 });
    for (let more = 0; more < 20; more++) await failed({}, 1);
    expect(await money()).toMatchObject({ moreCostly: true });
  });

  it("is beside what may be spent, that which is spent for the most part first", async () => {
    const book = new PartnerBook(database);
    const [shop, salon] = [aPartner("shop", { dayTokens: 10 }), aPartner("salon", { monthTokens: 100 })];
    for (const partner of [shop, salon]) await book.add({ partner, tokens: [] });
    const budgets: OperatorBudgets = {
      person: { day: 20 },
      chat: { month: 40 },
      key: { month: 1_000 },
      warnAt: 0.5,
    };
    const spend = (of: Parameters<typeof hold>[1]["budgets"], price: number) =>
      hold(database, { budgets: of, price, dearest: 100, warnAt: undefined, now: NOON });
    const ann = {
      user: "telegram:1",
      chat: "telegram:-100",
      surface: "telegram",
      paidBy: "operator",
    } as const;
    await made(ann, 12);
    // Whoever pays by themselves has no budget here.
    await made({ ...ann, user: "telegram:2", chat: null, paidBy: "own" }, 500);
    await made({ ...ann, user: "telegram:3", chat: null }, 9, 1);
    await spend(budgetsOfUser("telegram:1", budgets), 12);
    await spend(budgetsOfPartner(shop, undefined, false), 9.5);
    await spend(budgetsOfKey(budgets.key), 21);
    const { budgets: found, nearAt } = await money("last_month", budgets);
    expect(nearAt).toBe(0.5);
    expect(found.map(({ by, whose, period, spent, max }) => [by, whose, period, spent, max])).toEqual([
      ["http:shop", "partner", "day", 9.5, 10],
      ["telegram:1", "person", "day", 12, 20],
      [null, "key", "month", 21, 1_000],
      ["http:salon", "partner", "month", 0, 100],
      ["telegram:-100", "chat", "month", 0, 40],
    ]);
  });
});
