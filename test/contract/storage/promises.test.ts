import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { ReelayError } from "../../../src/common/errors.ts";
import { countUnder } from "../../../src/domain/policy/caps.ts";
import { type TokenBudget, spentError } from "../../../src/domain/budgets/budget.ts";
import { hold, statesOf } from "../../../src/domain/budgets/spending.ts";
import { UsageCounter } from "../../../src/domain/policy/usage-counter.ts";
import { IllegalTransition, type Job } from "../../../src/domain/jobs/job.ts";
import { Ledger, type NewJob, type Within } from "../../../src/domain/jobs/ledger.ts";
import { OPERATORS } from "../../../src/domain/reports/report.ts";
import { LeftNotices } from "../../../src/domain/reports/left-notices.ts";
import { ReportNews } from "../../../src/domain/reports/report-news.ts";
import { sumUsage } from "../../../src/domain/usage/usage.ts";
import { Deliveries } from "../../../src/domain/webhooks/deliveries.ts";
import { JobEvents } from "../../../src/domain/webhooks/job-events.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import { keepTime } from "../../../src/infrastructure/storage/clock.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { exclusive } from "../../../src/infrastructure/storage/exclusive.ts";
import { holdsIn } from "../../../src/infrastructure/storage/holds.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { aRequest } from "../../support/job.ts";
import { startEngines, twoNodes } from "./engines.ts";

const engines = await startEngines();

const MINUTE = 60_000;

/** Does something on each node so many times at once. @returns what came of it, where something did */
async function atOnce<T>(
  nodes: readonly Database[],
  times: number,
  work: (node: Database, place: number) => Promise<T>,
): Promise<readonly NonNullable<Awaited<T>>[]> {
  const all = nodes.flatMap((node) => Array.from({ length: times }, (_, place) => work(node, place)));
  return (await Promise.all(all)).filter((done) => done !== undefined && done !== null);
}

const claimLeft = (node: Database) => new LeftNotices(node).claim(Date.now(), "telegram");

const claimNews = (node: Database) => new ReportNews(node, undefined).claim(MINUTE, OPERATORS);

const DAILY = { code: "daily_cap", period: "day", by: "web:me", max: 5 } as const;

/** Counts a job that begins. */
const countJob: Within = async (transaction, job) => {
  const spending = { cost: { price: null, dearest: 105.6 }, warnAt: undefined };
  await countUnder({ begun: [DAILY], atOnce: [], budgets: [] }, transaction, job, spending);
};

/** What everybody spends of: a person of two, their group of two, and the key. */
const budgetsOf = (place: number): readonly TokenBudget[] => [
  { whose: "person", by: `telegram:${place % 2}`, payer: "operator", period: "day", max: 100 },
  { whose: "chat", by: `telegram:-${(place >> 1) % 2}`, payer: "operator", period: "day", max: 100 },
  { whose: "key", by: "operator", payer: "operator", period: "month", max: 123.45 },
];

/** Accepts a job of 10 tokens. */
const spendTen =
  (place: number): Within =>
  async (transaction) => {
    const spending = { budgets: budgetsOf(place), price: 10, dearest: 105.6, warnAt: undefined, now: MINUTE };
    const outcome = await hold(transaction, spending);
    if ("full" in outcome) throw spentError(outcome.full, true);
    return { held: outcome.held };
  };

/** Undefined for what a rule refuses. */
function refusal(error: unknown): undefined {
  if (error instanceof ReelayError) return undefined;
  throw error;
}

const leaving = { type: "submitting", at: 1, balance: null } as const;

/** Tries a step of a job; undefined where it must not be. */
async function tried(step: Promise<Job>): Promise<Job | undefined> {
  return step.catch((error: unknown) => {
    if (error instanceof IllegalTransition) return undefined;
    throw error;
  });
}

describe.each(engines)("two nodes that share a database on $name", (engine) => {
  it("let one of two jobs leave that look the same from outside, each time", async () => {
    const nodes = await twoNodes(engine);
    const [first, second] = nodes.map((node, number) => new Ledger(node, `node ${number}`));
    for (let time = 0; time < 100; time++) {
      const twin: Partial<NewJob> = { fingerprint: `photo ${time}` };
      const jobs = [await first?.add(aRequest(twin), time), await second?.add(aRequest(twin), time)] as const;
      const [here, there] = await Promise.all([
        jobs[0] && first && tried(first.apply(jobs[0], leaving)),
        jobs[1] && second && tried(second.apply(jobs[1], leaving)),
      ]);
      expect([here, there].filter(Boolean)).toHaveLength(1);
    }
  });

  it("claim each of 300 messages once", async () => {
    const nodes = await twoNodes(engine);
    const deliveries = nodes.map((node) => new Deliveries(node));
    const [events] = nodes.map(
      (node, place) => new JobEvents(node, deliveries[place] ?? new Deliveries(node)),
    );
    for (let number = 0; number < 300; number++) {
      const callback = { url: `https://${number}.example/hook`, events: ["job.completed"] } as const;
      await events?.append({
        user: "http:shop",
        job: `job ${number}`,
        type: "job.completed",
        data: {},
        callback,
      });
    }
    const now = Date.now() + 1;
    const due = (await deliveries[0]?.due(now)) ?? [];
    expect(due).toHaveLength(300);
    const claims = await Promise.all(
      [...deliveries, ...deliveries].flatMap((node) => due.map((message) => node.claim(message, now))),
    );
    expect(claims.filter(Boolean)).toHaveLength(300);
  });

  it("tell each piece of news once", async () => {
    const nodes = await twoNodes(engine);
    const jobs = Array.from({ length: 20 }, (_, place) => `job ${place}`);
    const rows = jobs.map((job) => ({ job, state: "open", at: 1 }));
    await nodes[0].kysely.insertInto("reported").values(rows).execute();
    const notices = jobs.map((job) => ({ job, audience: "operators", news: 1 }));
    await nodes[0].kysely.insertInto("report_notices").values(notices).execute();
    const told = [...(await atOnce(nodes, 20, claimNews)), ...(await atOnce(nodes, 20, claimNews))];
    expect(told.map(({ report }) => report.job).toSorted()).toEqual(jobs.toSorted());
  });

  it("leave each notice once, and close it once", async () => {
    const nodes = await twoNodes(engine);
    const jobs = Array.from({ length: 10 }, (_, place) => `job ${place}`);
    const notices = jobs.map((job) => ({
      job,
      audience: "telegram:-100",
      news: 1,
      notice: JSON.stringify({ of: job }),
      place: "telegram:77",
    }));
    await nodes[0].kysely.insertInto("report_notices").values(notices).execute();
    await atOnce(nodes, 2, (node) => new LeftNotices(node).leave("telegram:-100", "telegram:78"));
    const taken = [...(await atOnce(nodes, 10, claimLeft)), ...(await atOnce(nodes, 10, claimLeft))];
    const left = taken.flatMap((one) => (one ? [one] : []));
    expect(left).toHaveLength(10);
    expect(new Set(left.map(({ notice }) => notice["of"]))).toEqual(new Set(jobs));
    await atOnce(nodes, 2, (node) => new LeftNotices(node).leave("telegram:-100", undefined));
    for (const one of left) await new LeftNotices(nodes[1]).closed(one);
    expect(await nodes[0].kysely.selectFrom("left_notices").selectAll().execute()).toEqual([]);
  });

  it("name what they depend on in any order, and wait for nobody who waits for them", async () => {
    const nodes = await twoNodes(engine);
    const names = ["user:a", "chat:b", "kv:c/d", "vault"] as const;
    const done = await atOnce(nodes, 20, ({ kysely }, place) =>
      exclusive(kysely, place % 2 === 0 ? names : names.toReversed(), (within) =>
        sql`select 1`.execute(within),
      ),
    );
    expect(done).toHaveLength(40);
  });

  it("take as many slots as a window has, and find the next one free a window after an answer", async () => {
    const nodes = await twoNodes(engine);
    const [here] = nodes.map((node) => new WindowLog(node, MINUTE));
    const logs = new Map(nodes.map((node) => [node, new WindowLog(node, MINUTE)]));
    const scopes = ["key:a", "egress:b"];
    const taken = await atOnce(
      nodes,
      60,
      async (node) => (await logs.get(node)?.take("video", scopes, 20))?.slot,
    );
    expect(taken).toHaveLength(20);
    for (const slot of taken) await here?.release(slot);
    const next = await here?.take("video", scopes, 20);
    const [freeAt = 0] = next && "freeAt" in next ? next.freeAt : [];
    expect(freeAt).toBeGreaterThan(Date.now());
    expect(freeAt).toBeLessThanOrEqual(Date.now() + MINUTE + 1);
  });

  it("pause a scope for as long as they were told to, longer each time", async () => {
    const nodes = await twoNodes(engine);
    const [here, there] = nodes.map((node) => new WindowLog(node, MINUTE));
    await Promise.all([
      here?.block("video", "key:a", Date.now()),
      there?.block("video", "key:a", Date.now()),
    ]);
    const taken = await there?.take("video", ["key:a"], 20);
    expect(taken).toMatchObject({ slot: undefined });
    expect(await here?.blockedToo("video", "key:", "key:b")).toBe(true);
  });

  it("begin as many jobs as somebody's caps allow", async () => {
    const nodes = await twoNodes(engine);
    const jobs = await atOnce(nodes, 10, (node, place) =>
      new Ledger(node, "one").add(aRequest({ request: null }), place, countJob).catch(refusal),
    );
    expect(jobs).toHaveLength(5);
    const [job] = jobs;
    if (job) await atOnce(nodes, 2, (node) => new UsageCounter(node).giveBack(job));
    expect(await new UsageCounter(nodes[0]).count(DAILY)).toBe(4);
  });

  it("accept as many of 80 jobs at once as a budget covers, and correct it by what each cost", async () => {
    const nodes = await twoNodes(engine);
    let asked = 0;
    const jobs = await atOnce(nodes, 40, async (node, place) => {
      const ledger = new Ledger(node, "one");
      const user = `telegram:${place}` as const;
      // No two look the same from outside: those would leave one after the other.
      const fingerprint = String((asked += 1));
      return ledger
        .add(aRequest({ request: null, user, fingerprint }), place, spendTen(place))
        .then((job) => ({ job, ledger, place }))
        .catch(refusal);
    });
    expect(jobs).toHaveLength(12);
    const spentOf = async () =>
      (await statesOf(nodes[0], budgetsOf(0).slice(2), MINUTE)).map(({ spent }) => spent);
    expect(await spentOf()).toEqual([120]);
    // All of them end at once, on both nodes: cancelled, failed, charged less, charged more.
    await Promise.all(
      jobs.map(async ({ job, ledger }, nth) => {
        if (nth % 2 === 0) return ledger.apply(job, { type: "cancelled", at: 1 });
        const sent = await ledger.apply(job, { ...leaving, at: nth });
        const accepted = { type: "accepted", at: nth, serviceId: job.id, cost: 3.07, balance: null } as const;
        return ledger.apply(sent, accepted);
      }),
    );
    expect(await spentOf()).toEqual([18.42]);
    const again = await atOnce(nodes, 20, (node, place) =>
      new Ledger(node, "one").add(aRequest({ request: null }), place, spendTen(place)).catch(refusal),
    );
    expect(again).toHaveLength(10);
  });

  it("make one job of a request, and tell everybody that one", async () => {
    const nodes = await twoNodes(engine);
    const jobs = await atOnce(nodes, 5, (node) => new Ledger(node, "one").add(aRequest({ request: "r" }), 1));
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
  });

  it("adopt each job once, and erase it once from what counts", async () => {
    const nodes = await twoNodes(engine);
    const gone = new Ledger(nodes[0], "gone");
    for (let number = 0; number < 20; number++)
      await gone.add(aRequest({ fingerprint: `${number}` }), number);
    const counts = await Promise.all(
      nodes.map((node, number) => new Ledger(node, `node ${number}`).adopt(["gone"], ["web"])),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
    const jobs = await gone.ofUser("web:me", { limit: 20 });
    await atOnce(nodes, 20, async (node, place) => {
      const job = jobs[place];
      if (job) await new Ledger(node, "one").remove(job.id);
    });
    expect(await sumUsage(nodes[0], { by: ["day"] }, false)).toEqual([
      { day: "1970-01-01", jobs: 20, successes: 0, tokens: 0, seconds: null },
    ]);
  });

  it("have an outcome told anew once, and decide by what the other wrote", async () => {
    const nodes = await twoNodes(engine);
    const ledger = new Ledger(nodes[0], "one");
    let job = await ledger.add(aRequest(), 1);
    job = await ledger.apply(job, { type: "cancelled", at: 1 });
    job = await ledger.apply(job, { type: "delivering" });
    job = await ledger.apply(job, { type: "delivered", at: 1 });
    const seen = await atOnce(nodes, 4, (node) =>
      new Ledger(node, "one").retell(job.id, ["web"], async (_transaction, { delivery }) => {
        // The others have begun by now, too.
        await setImmediate();
        return { delivery, retell: delivery === "delivered" };
      }),
    );
    expect(seen.filter(({ retell }) => retell)).toHaveLength(1);
    expect((await ledger.find(job.id))?.fence).toBe(job.fence + 1);
  });

  it("hear of one end of a job, and of nothing after it, in one order", async () => {
    const nodes = await twoNodes(engine);
    const told = await atOnce(nodes, 10, (node, place) =>
      new JobEvents(node, new Deliveries(node)).append({
        user: "http:shop",
        job: "job",
        type: place % 3 === 0 ? "job.completed" : "job.progress",
        data: { place },
      }),
    );
    expect(told).toHaveLength(20);
    const events = await new JobEvents(nodes[0], new Deliveries(nodes[0])).since("job", 0);
    expect(events.map(({ type }) => type)).toEqual([
      ...Array.from({ length: events.length - 1 }, () => "job.progress"),
      "job.completed",
    ]);
  });

  it("change an entry one after the other, and make one once", async () => {
    const nodes = await twoNodes(engine);
    await atOnce(nodes, 25, (node) => memory(node, "counts").change<number>("a", (before = 0) => before + 1));
    expect(await memory(nodes[0], "counts").get("a")).toBe(50);
    const made = await atOnce(nodes, 10, (node, place) => memory(node, "made").once("a", () => place));
    expect(new Set(made).size).toBe(1);
  });

  it("erase no file that somebody has begun to need", async () => {
    const nodes = await twoNodes(engine);
    const erased = new Set<string>();
    const erase = async (file: string) => {
      await setImmediate();
      erased.add(file);
    };
    const names = Array.from({ length: 50 }, (_, place) => `${place}`.padStart(64, "0"));
    await Promise.all(names.map((file) => holdsIn(nodes[0]).add(file, { owner: "shop job", until: 1 })));
    const needed = new Set<string>();
    await Promise.all([
      holdsIn(nodes[0]).expire(2, erase),
      ...names.map(async (file) => {
        await holdsIn(nodes[1]).add(file, { owner: "shop other" });
        if (!erased.has(file)) needed.add(file);
      }),
    ]);
    expect(needed.size + erased.size).toBe(50);
    expect([...needed].filter((file) => erased.has(file))).toEqual([]);
  });

  it("notice once that the clock was set back, and have nothing wait for longer than it would have", async () => {
    const nodes = await twoNodes(engine);
    const [node] = nodes;
    const last = Date.now() + 120 * MINUTE;
    await memory(node, "clock").set("time", { last, setBackAt: 0 });
    const ledger = new Ledger(node, "one");
    let job = await ledger.add(aRequest(), last);
    job = await ledger.apply(job, { type: "submitting", at: last, balance: null });
    job = await ledger.apply(job, { type: "accepted", at: last, serviceId: "s", cost: 1, balance: null });
    job = await ledger.apply(job, { type: "held", awaits: "key", until: last + MINUTE });
    const noticed = (await atOnce(nodes, 3, keepTime)).filter((by) => by > 0);
    expect(noticed).toHaveLength(1);
    const { notBefore = 0, acceptedAt, submittedAt } = (await ledger.find(job.id)) ?? {};
    expect(notBefore).toBe(last + MINUTE - (noticed[0] ?? 0));
    expect(acceptedAt).toBe(last - (noticed[0] ?? 0));
    expect(submittedAt).toBe(acceptedAt);
  });
});
