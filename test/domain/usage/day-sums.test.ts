import { join } from "node:path";
import * as fc from "fast-check";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ERRORS } from "../../../src/common/errors.ts";
import { decimal } from "../../../src/seam/amounts.ts";
import { MONEY_DIMENSIONS, type MoneyRow } from "../../../src/seam/access/money.ts";
import { partnerIdOf } from "../../../src/seam/access/partners.ts";
import type { UserId } from "../../../src/seam/values.ts";
import type { Job, Transition } from "../../../src/domain/jobs/job.ts";
import { costOf } from "../../../src/domain/jobs/job-view.ts";
import { Ledger, type NewJob } from "../../../src/domain/jobs/ledger.ts";
import { LOST } from "../../../src/domain/jobs/other-job.ts";
import { firstDay, sumDays } from "../../../src/domain/usage/day-sums.ts";
import { sumUsage } from "../../../src/domain/usage/usage.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { dialectOf } from "../../../src/infrastructure/storage/dialect.ts";
import { aRequest, endedJob } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const DAY_MS = 24 * 60 * 60_000;
const FIRST = Date.parse("2026-01-30T00:00:00Z");
const ALL = { since: "0000-01-01", until: "9999-12-31" };

let path: string;
let database: Database;
let ledger: Ledger;

beforeEach(async () => {
  path = join(temporaryFolder(), "reelay.db");
  database = await openDatabase(path);
  ledger = new Ledger(database, "one");
});
afterEach(() => database.close());

/** Of real tokens and of play money. */
const kept = async () =>
  [
    ...(await sumDays(database, ALL, MONEY_DIMENSIONS, false)),
    ...(await sumDays(database, ALL, MONEY_DIMENSIONS, true)),
  ].toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
const total = async () => (await sumDays(database, ALL, [], false))[0];

const at = (day: number) => FIRST + day * DAY_MS;

/** Each is a step that the ledger takes where it fits. */
const STEPS: Readonly<Record<string, (job: Job, cents: number) => Transition>> = {
  send: () => ({ type: "submitting", at: FIRST, balance: null }),
  lose: () => ({ type: "lost", at: FIRST }),
  postpone: () => ({ type: "postponed", until: 0 }),
  absent: () => ({ type: "absent" }),
  accept: ({ id }, cents) => ({
    type: "accepted",
    at: FIRST,
    serviceId: id,
    cost: cents % 5 === 0 ? null : cents / 100,
    balance: null,
  }),
  complete: (_, cents) => ({
    type: "completed",
    at: FIRST,
    result: ["r"],
    cost: cents % 3 === 0 ? null : cents / 100,
  }),
  fail: (_, cents) => ({
    type: "failed",
    at: FIRST,
    error: { code: "job_failed", params: {} },
    cost: cents % 2 === 0 ? null : cents / 100,
  }),
  giveUp: (_, cents) => ({
    type: "failed",
    at: FIRST,
    error: { params: {}, code: cents % 2 === 0 ? "lost_track" : "lost_charged" },
    cost: null,
  }),
  cancel: () => ({ type: "cancelled", at: FIRST }),
  deliver: () => ({ type: "delivering" }),
  told: () => ({ type: "delivered", at: FIRST }),
  again: () => ({ type: "redeliver" }),
};

const USERS = ["telegram:1", "web:me", "http:shop", "http:salon"] as const satisfies UserId[];
const PAYERS = ["own", "group", "operator", "sandbox", null] as const;

const number = (is: boolean) => (is ? 1 : 0);

/** What a job counts for, reckoned by itself. */
interface Counted extends Required<Omit<MoneyRow, "tokens" | "failedTokens">> {
  tokens: number;
  failedTokens: number;
}

function countedOf(job: Job, payer: string): Counted {
  const { state, operation, surface, createdAt, user } = job;
  const unsure = state === "failed" && costOf(job) === null;
  const tokens = job.cost ?? 0;
  return {
    day: new Date(createdAt).toISOString().slice(0, 10),
    operation,
    platform: surface,
    partner: partnerIdOf(user) ?? "",
    payer,
    jobs: number(["completed", "failed", "cancelled"].includes(state)),
    completed: number(state === "completed"),
    failed: number(state === "failed" && !unsure),
    unsure: number(unsure),
    tokens,
    failedTokens: state === "failed" ? tokens : 0,
  };
}

const SUMMED = ["jobs", "completed", "failed", "unsure", "tokens", "failedTokens"] as const;

/** Rows come in the order of what they are summed by. */
const order = (row: MoneyRow) => MONEY_DIMENSIONS.map((name) => row[name]).join("\0");

/** What is alike together; what comes to nothing is left out. */
function together(all: readonly Counted[]): readonly Counted[] {
  const rows = new Map<string, Counted>();
  for (const one of all) {
    const key = MONEY_DIMENSIONS.map((name) => one[name]).join(" ");
    const before = rows.get(key);
    const sums = Object.fromEntries(SUMMED.map((name) => [name, decimal((before?.[name] ?? 0) + one[name])]));
    rows.set(key, { ...one, ...sums });
  }
  return [...rows.values()]
    .filter((row) => SUMMED.some((name) => row[name] !== 0))
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** Tokens by day and operation, where there are any. */
const figures = (list: readonly { day?: string | null; operation?: string | null; tokens: number }[]) =>
  list.filter(({ tokens }) => tokens > 0).map(({ day, operation, tokens }) => [day, operation, tokens]);

/** A request of somebody's with a platform and a name of their own. */
const askedBy = (user: UserId, surface: NewJob["surface"]) => ({
  user,
  surface,
  paidBy: "own" as const,
  tags: { platform: "their-app", inAppUsername: "anna-secret" },
});

describe("the sums of each day", () => {
  it("are those of the ledger, whatever happens to jobs, and in tokens those of usage to the cent", async () => {
    const action = fc.record({
      act: fc.constantFrom(
        ...Object.keys(STEPS),
        "add",
        "add",
        "send",
        "accept",
        "erase",
        "forget",
        "correct",
      ),
      which: fc.nat({ max: 11 }),
      cents: fc.nat({ max: 10_570 }),
      user: fc.constantFrom(...USERS),
      payer: fc.constantFrom(...PAYERS),
      operation: fc.constantFrom("video", "image"),
      day: fc.nat({ max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 60 }), async (actions) => {
        for (const table of ["jobs", "erased_jobs", "day_sums"] as const)
          await database.kysely.deleteFrom(table).execute();
        const live = new Map<string, string>();
        let gone: Counted[] = [];
        const now = async () => {
          const jobs = await Promise.all([...live.keys()].map((id) => ledger.find(id)));
          return jobs.flatMap((job) => (job ? [countedOf(job, live.get(job.id) ?? "")] : []));
        };
        for (const [nth, { act, which, cents, user, payer, operation, day }] of actions.entries()) {
          if (act === "add") {
            const surface = user.startsWith("http:") ? "http" : user.startsWith("web:") ? "web" : "telegram";
            const tags = { platform: `${surface}-app`, inAppUsername: "ann" };
            const asked = {
              user,
              surface,
              tags,
              operation,
              paidBy: payer,
              fingerprint: String(nth),
            } as const;
            const { id } = await ledger.add(aRequest(asked), at(day) + nth);
            live.set(id, payer ?? "");
            continue;
          }
          const id = [...live.keys()].at(which % Math.max(1, live.size));
          const job = id === undefined ? undefined : await ledger.find(id);
          if (!job) continue;
          if (act === "erase") {
            gone.push(countedOf(job, live.get(job.id) ?? ""));
            await ledger.remove(job.id);
            live.delete(job.id);
          } else if (act === "forget") {
            const theirs = (await Promise.all([...live.keys()].map((each) => ledger.find(each)))).filter(
              (each) => each?.user === job.user,
            );
            const done = await ledger.forget(job.user).then(
              () => true,
              () => false,
            );
            if (!done) continue;
            for (const each of theirs)
              if (each) {
                gone.push(countedOf(each, live.get(each.id) ?? ""));
                live.delete(each.id);
              }
            const partner = partnerIdOf(job.user);
            gone = gone.map((one) => (one.partner === partner ? { ...one, partner: "" } : one));
          } else if (act === "correct") {
            // Whatever it is that settles a price later.
            await database.kysely
              .updateTable("jobs")
              .set({ cost: cents / 100 })
              .where("id", "=", job.id)
              .where("service_id", "is not", null)
              .execute();
          } else {
            const step = STEPS[act]?.(job, cents);
            if (step) await ledger.apply(job, step).catch(() => undefined);
          }
        }
        const expected = together([...gone, ...(await now())]);
        const rows = (await kept()).filter((row) => SUMMED.some((name) => row[name] !== 0));
        expect(rows).toEqual(expected);
        for (const inSandbox of [false, true]) {
          const days = await sumDays(database, ALL, ["day", "operation"], inSandbox);
          const usage = await sumUsage(database, { by: ["day", "operation"] }, inSandbox);
          expect(figures(days)).toEqual(figures(usage));
        }
      }),
      { numRuns: 30 },
    );
  });

  it("have every code of a job whose charge nobody knows", () => {
    expect(
      Object.keys(ERRORS)
        .filter((code) => code.startsWith("lost_"))
        .toSorted(),
    ).toEqual([...LOST].toSorted());
  });

  it("have no tail of binary fractions", async () => {
    for (let nth = 0; nth < 3; nth++)
      await endedJob(ledger, { fingerprint: String(nth) }, { at: FIRST, cost: 0.1 });
    for (let nth = 0; nth < 100; nth++)
      await endedJob(ledger, { fingerprint: `t${nth}` }, { at: FIRST, cost: 0.07, seconds: 1 });
    expect(await total()).toMatchObject({
      jobs: 103,
      completed: 100,
      failed: 3,
      tokens: 7.3,
      failedTokens: 0.3,
    });
  });

  it("name partners until they are forgotten, and never a person", async () => {
    const told = { at: FIRST, cost: 2, seconds: 1, toldAt: FIRST };
    await endedJob(ledger, askedBy("http:shop", "http"), told);
    await endedJob(ledger, askedBy("http:salon", "http"), told);
    await endedJob(ledger, askedBy("telegram:4711", "telegram"), told);
    const before = await kept();
    expect(before.map(({ partner, platform, tokens }) => [partner, platform, tokens])).toEqual([
      ["salon", "http", 2],
      ["shop", "http", 2],
      ["", "telegram", 2],
    ]);
    expect(JSON.stringify(before)).not.toMatch(/4711|anna|their-app/);
    await ledger.forget("http:shop");
    await ledger.forget("http:salon");
    await ledger.forget("telegram:4711");
    const after = await kept();
    expect(after.map(({ partner, platform, jobs, tokens }) => [partner, platform, jobs, tokens])).toEqual([
      ["", "http", 2, 4],
      ["", "telegram", 1, 2],
    ]);
  });

  it("are counted under the day of the request, whenever it is settled", async () => {
    await endedJob(ledger, {}, { at: at(1) - 1, cost: 1, seconds: 3 * 86_400 });
    expect(await kept()).toMatchObject([{ day: "2026-01-30", completed: 1, tokens: 1 }]);
    expect(await firstDay(database, false)).toBe("2026-01-30");
    expect(await sumDays(database, { since: "2026-01-31", until: "2026-02-28" }, ["day"], false)).toEqual([]);
  });

  it("count odd charges as far as they can be counted", async () => {
    await endedJob(ledger, { fingerprint: "a" }, { at: FIRST, cost: -5, seconds: 1 });
    await endedJob(ledger, { fingerprint: "b" }, { at: FIRST, cost: 1e300, seconds: 1 });
    expect((await total())?.tokens).toBe(1e9);
  });

  it("are filled by an upgrade from what is there, and once", async () => {
    const told = { at: FIRST, toldAt: FIRST };
    const shop = {
      user: "http:shop",
      surface: "http",
      tags: { platform: "telegram", inAppUsername: "a" },
    } as const;
    await endedJob(ledger, { fingerprint: "1" }, { ...told, cost: 0.1, seconds: 1 });
    await endedJob(ledger, { fingerprint: "2" }, { ...told, cost: 0.2 });
    await endedJob(ledger, { ...shop, fingerprint: "3" }, { ...told, at: at(1), cost: 3, seconds: 1 });
    const erased = [
      await endedJob(ledger, { ...shop, fingerprint: "4" }, { ...told, at: at(1), cost: 4, seconds: 1 }),
      await endedJob(ledger, { fingerprint: "5" }, { ...told, at: at(1), cost: 5 }),
    ];
    let job = await ledger.add(aRequest({ fingerprint: "6" }), at(2));
    job = await ledger.apply(job, { type: "submitting", at: at(2), balance: null });
    await ledger.apply(job, { type: "accepted", at: at(2), serviceId: "s", cost: 6, balance: null });
    await ledger.add(aRequest({ fingerprint: "7" }), at(3));
    const before = await kept();
    for (const id of erased) await ledger.remove(id);
    await asBefore();
    database = await openDatabase(path);
    expect(await kept()).toEqual(before);
    expect(before.map(({ day, partner, jobs, tokens }) => [day, partner, jobs, tokens])).toEqual([
      ["2026-01-30", "", 2, 0.3],
      ["2026-01-31", "shop", 2, 7],
      ["2026-01-31", "", 1, 5],
      ["2026-02-01", "", 0, 6],
    ]);
    ledger = new Ledger(database, "one");
    const open = await ledger.find(job.id);
    if (!open) throw new Error("It is gone.");
    await ledger.apply(open, { type: "completed", at: at(2), result: ["r"], cost: 5.5 });
    expect((await kept()).at(-1)).toMatchObject({ jobs: 1, completed: 1, tokens: 5.5 });
  });
});

/** Takes the last steps of the migrations back but for those of what waits and what goes on, which may be done twice, and closes the database. */
async function asBefore(): Promise<void> {
  const { kysely, schema } = database;
  const isSqlite = dialectOf(kysely).hasFiles;
  const done = schema - (isSqlite ? 8 : 9);
  for (const statement of [
    "alter table lessons rename to experience",
    "drop index jobs_named",
    "drop index jobs_in_vain",
    "drop index jobs_open_by_chat",
    "drop index jobs_of_key",
    "drop index jobs_of_host",
    "drop index jobs_uncounted",
    "drop view usage",
    "alter table erased_jobs drop column paid_by",
    isSqlite ? "drop trigger jobs_summed" : "drop trigger jobs_summed on jobs",
    ...(isSqlite ? [] : ["drop function sum_job, take_slot, release_slot, sweep_slots"]),
    "drop table day_sums",
    "alter table jobs drop column paid_by",
    isSqlite ? `pragma user_version = ${done}` : `update migrated set scripts = ${done}`,
  ])
    await sql.raw(statement).execute(kysely);
  await database.close();
}
