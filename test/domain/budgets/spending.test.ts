import { join } from "node:path";
import * as fc from "fast-check";
import type { PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ReelayError } from "../../../src/common/errors.ts";
import { type TokenBudget, spentError } from "../../../src/domain/budgets/budget.ts";
import { hold, type Holding, statesOf } from "../../../src/domain/budgets/spending.ts";
import { IllegalTransition, type Job, type Transition } from "../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import type { BudgetState } from "../../../src/seam/access/budgets.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const NOON = Date.UTC(2030, 0, 31, 12);
const MIDNIGHT = Date.UTC(2030, 1, 1);

const day: TokenBudget = { whose: "person", by: "telegram:1", payer: "operator", period: "day", max: 50 };
const month: TokenBudget = { ...day, period: "month", max: 60 };
const chat: TokenBudget = { ...day, whose: "chat", by: "telegram:-1", max: 15 };

describe("what is spent of budgets", () => {
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

  const told: BudgetState[] = [];
  beforeEach(() => void (told.length = 0));

  /** Accepts a job, as the gate does. @returns what refuses it, where something does */
  async function begin(
    price: number | null,
    budgets: readonly TokenBudget[] = [day],
    more: Partial<Pick<Holding, "dearest" | "warnAt">> = {},
  ): Promise<Job | ReelayError> {
    const holding = { budgets, price, dearest: 105.6, warnAt: undefined, now: Date.now(), ...more };
    return ledger
      .add(aRequest({ request: null }), Date.now(), async (transaction) => {
        const outcome = await hold(transaction, holding);
        if ("full" in outcome) throw spentError(outcome.full, true);
        told.push(...outcome.warnings);
        return { held: outcome.held };
      })
      .catch((error: unknown) => {
        if (error instanceof ReelayError) return error;
        throw error;
      });
  }

  async function begun(...given: Parameters<typeof begin>): Promise<Job> {
    const job = await begin(...given);
    if (job instanceof ReelayError) throw job;
    return job;
  }

  const spent = async (budget: TokenBudget) => (await statesOf(database, [budget], Date.now()))[0]?.spent;
  const step = (job: Job, event: Transition) => ledger.apply(job, event);
  const sent = (job: Job) => step(job, { type: "submitting", at: Date.now(), balance: null });
  const running = async (job: Job, cost: number | null) =>
    step(await sent(job), { type: "accepted", at: Date.now(), serviceId: job.id, cost, balance: null });
  const completed = async (job: Job, cost: number | null) =>
    step(job, { type: "completed", at: Date.now(), result: [], cost });
  const failed = (job: Job, code: "job_failed" | "lost_track", cost: number | null) =>
    step(job, { type: "failed", at: Date.now(), error: { code, params: {} }, cost });

  it("is the price that a job will have, then what it cost", async () => {
    const job = await begun(10);
    expect(await spent(day)).toBe(10);
    const accepted = await running(job, 9.5);
    expect(await spent(day)).toBe(9.5);
    // The service settles some prices when the job is done (section 4.7, rule 4).
    await completed(accepted, 12.34);
    expect(await spent(day)).toBe(12.34);
  });

  it("stays as it was expected while nobody knows better", async () => {
    const job = await running(await begun(10), null);
    expect(await spent(day)).toBe(10);
    await completed(job, null);
    expect(await spent(day)).toBe(10);
  });

  it("is nothing for what was cancelled or failed and cost nothing, however often that is done again", async () => {
    for (let time = 0; time < 5; time++) {
      await step(await begun(50), { type: "cancelled", at: Date.now() });
      expect(await spent(day)).toBe(0);
      await failed(await sent(await begun(50)), "job_failed", null);
      expect(await spent(day)).toBe(0);
    }
    // Accepted, charged, failed: that was paid for.
    await failed(await running(await begun(50), 20), "job_failed", null);
    expect(await spent(day)).toBe(20);
  });

  it("counts what nobody knows whether it was charged", async () => {
    const job = await step(await sent(await begun(10)), { type: "lost", at: Date.now() });
    await failed(job, "lost_track", null);
    expect(await spent(day)).toBe(10);
  });

  it("is counted once, whoever settles a job again with what they knew of it before", async () => {
    const job = await running(await begun(10), 10);
    await completed(job, 4);
    await expect(completed(job, 4)).rejects.toThrow(IllegalTransition);
    await expect(failed(job, "job_failed", 0)).rejects.toThrow(IllegalTransition);
    expect(await spent(day)).toBe(4);
  });

  it("says what is spent, what the budget is and when it ends, where it does not cover a job", async () => {
    await begun(45);
    expect(await begin(5.01)).toMatchObject({
      code: "budget_spent",
      params: { whose: "person", during: "day", budget: 50, spent: 45, until: MIDNIGHT },
    });
    await begun(5);
    expect(await begin(0.01)).toMatchObject({ code: "budget_spent" });
    // What costs nothing is covered by nothing.
    await begun(0);
  });

  it("has no dust of binary fractions", async () => {
    const small = { ...day, max: 0.3 };
    await begun(0.1, [small]);
    await begun(0.2, [small]);
    expect(await spent(small)).toBe(0.3);
    expect(await begin(0.01, [small])).toMatchObject({ code: "budget_spent", params: { spent: 0.3 } });
    const large = { ...chat, max: 7 };
    for (let time = 0; time < 100; time++) await begun(0.07, [large]);
    expect(await spent(large)).toBe(7);
    expect(await begin(0.01, [large])).toMatchObject({ code: "budget_spent" });
  });

  it("is taken out of every budget or of none, and the smaller crowd is told first", async () => {
    await begun(10, [day, chat, month]);
    expect(await begin(10, [day, chat, month])).toMatchObject({ params: { whose: "chat", spent: 10 } });
    expect([await spent(day), await spent(chat), await spent(month)]).toEqual([10, 10, 10]);
    expect(await begin(55, [day, chat, month])).toMatchObject({ params: { whose: "person", during: "day" } });
  });

  it("is all that is left where the price is not known, until it is", async () => {
    const job = await begun(null, [day, chat]);
    expect([await spent(day), await spent(chat)]).toEqual([15, 15]);
    expect(await begin(null, [chat])).toMatchObject({ code: "budget_spent" });
    await running(job, 4);
    expect([await spent(day), await spent(chat)]).toEqual([4, 4]);
    // Where more is left than the dearest costs, others go on.
    await begun(null, [day], { dearest: 20 });
    expect(await spent(day)).toBe(24);
    await begun(null, [chat], { dearest: 20 });
    expect(await spent(chat)).toBe(15);
  });

  it("begins anew with the day and the month; what was accepted before counts there, whenever it is charged", async () => {
    vi.setSystemTime(MIDNIGHT - 1);
    const job = await begun(30, [day, month]);
    vi.setSystemTime(MIDNIGHT);
    expect([await spent(day), await spent(month)]).toEqual([0, 0]);
    await completed(await running(job, 40), 40);
    expect([await spent(day), await spent(month)]).toEqual([0, 0]);
    await begun(50, [day, month]);
    vi.setSystemTime(MIDNIGHT - 1);
    // As a clock that was set back sees it.
    expect([await spent(day), await spent(month)]).toEqual([40, 40]);
    expect(await begin(20.01, [month])).toMatchObject({ code: "budget_spent" });
  });

  it("goes on with the month when only the day ends", async () => {
    vi.setSystemTime(Date.UTC(2030, 0, 30, 23, 59));
    const job = await running(await begun(40, [day, month]), 40);
    vi.setSystemTime(Date.UTC(2030, 0, 31));
    expect([await spent(day), await spent(month)]).toEqual([0, 40]);
    await completed(job, 30);
    expect([await spent(day), await spent(month)]).toEqual([0, 30]);
  });

  it("stays when jobs are erased, and when their person is forgotten", async () => {
    const job = await completed(await running(await begun(10), 10), 10);
    await ledger.remove(job.id);
    expect(await spent(day)).toBe(10);
    const next = await step(await completed(await running(await begun(10), 10), 10), { type: "delivering" });
    await step(next, { type: "delivered", at: Date.now() });
    await ledger.forget(next.user);
    expect(await spent(day)).toBe(20);
  });

  it("is warned of once in a period, and once more of another budget", async () => {
    const warnAt = 0.8;
    for (const price of [39, 1, 1]) await begun(price, [day], { warnAt });
    expect(told).toEqual([{ whose: "person", period: "day", max: 50, spent: 40, until: MIDNIGHT }]);
    await begun(9, [{ ...day, max: 60 }], { warnAt });
    expect(told.map(({ spent: by, max }) => [by, max])).toEqual([
      [40, 50],
      [50, 60],
    ]);
    vi.setSystemTime(MIDNIGHT);
    await begun(45, [day], { warnAt });
    expect(told).toHaveLength(3);
  });

  it("is not warned of by a job that was refused", async () => {
    const warnAt = 0.5;
    expect(await begin(40, [day, chat], { warnAt })).toBeInstanceOf(ReelayError);
    await begun(15, [day, chat], { warnAt });
    expect(told.map(({ whose }) => whose)).toEqual(["chat"]);
    await begun(20, [day], { warnAt });
    expect(told.map(({ whose }) => whose)).toEqual(["chat", "person"]);
  });

  it("is counted in one statement: others wait for its rows", async () => {
    const budgets = [day, chat, month, { ...day, whose: "key", max: undefined } as const];
    const kinds: string[] = [];
    const counting = {
      transformQuery,
      transformResult: async ({ result }: PluginTransformResultArgs) => result,
    };
    function transformQuery({ node }: PluginTransformQueryArgs) {
      kinds.push(node.kind);
      return node;
    }
    const holding = { budgets, price: 1, dearest: 105.6, warnAt: undefined, now: Date.now() };
    await ledger.add(aRequest({ request: null }), Date.now(), async ({ kysely }) => {
      await hold({ kysely: kysely.withPlugin(counting) }, holding);
      return { held: null };
    });
    expect(kinds).toEqual(["InsertQueryNode"]);
  });

  it("is under digests", async () => {
    await begun(1, [day, chat, month]);
    const { kysely } = database;
    const rows = [
      await kysely.selectFrom("spent").selectAll().execute(),
      await kysely.selectFrom("jobs").select("held").execute(),
    ];
    expect(JSON.stringify(rows)).not.toMatch(/telegram|operator/);
  });

  it("counts odd charges as far as they can be counted", async () => {
    await completed(await running(await begun(1, [month]), -5), -5);
    expect(await spent(month)).toBe(0);
    await completed(await running(await begun(1, [month]), 1e300), 1e300);
    expect(await spent(month)).toBe(1e9);
  });

  it("is the sum of what jobs cost or will cost, in whatever order they come and go", async () => {
    const cents = fc.integer({ min: 0, max: 2_000 }).map((n) => n / 100);
    const ends = fc.constantFrom("cancel", "fail", "charge", "complete", "wait");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cents, cents, ends), { maxLength: 12 }),
        fc.uuid(),
        async (jobs, by) => {
          const budget = { ...day, by, max: 100 };
          let sum = 0;
          for (const [price, cost, end] of jobs) {
            const job = await begin(price, [budget]);
            const isCovered = price === 0 || sum + Math.round(price * 100) <= 10_000;
            expect(!(job instanceof ReelayError)).toBe(isCovered);
            if (job instanceof ReelayError) continue;
            if (end === "cancel") await step(job, { type: "cancelled", at: Date.now() });
            if (end === "fail") await failed(await sent(job), "job_failed", null);
            if (end === "charge") await running(job, cost);
            if (end === "complete") await completed(await running(job, null), cost);
            const counts = { cancel: 0, fail: 0, charge: cost, complete: cost, wait: price }[end];
            sum += Math.round(counts * 100);
            expect(await spent(budget)).toBe(sum / 100);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});
