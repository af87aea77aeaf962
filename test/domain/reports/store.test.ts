import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { ReportNews } from "../../../src/domain/reports/report-news.ts";
import { Reports } from "../../../src/domain/reports/reports.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { endedJob } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { GROUP, member, operator } from "./harness.ts";

const DAY = 24 * 60 * 60_000;

interface Store extends AsyncDisposable {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly reports: Reports;
  /** A result of the group. */
  made(): Promise<string>;
}

async function open(): Promise<Store> {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const ledger = new Ledger(database, "one");
  const audit = await Audit.open(database, "digest");
  const news = new ReportNews(database, undefined);
  const reports = new Reports({ database, ledger, audit, news, toWithhold: 2, platforms: ["telegram"] });
  const asked = { user: "telegram:ann", chat: GROUP, surface: "telegram" } as const;
  return {
    database,
    ledger,
    reports,
    made: () => endedJob(ledger, asked, { at: Date.now(), cost: 1, seconds: 5 }),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("the reports of one person", () => {
  it("are counted up to twenty a day", async () => {
    await using store = await open();
    const jobs: string[] = [];
    while (jobs.length < 21) jobs.push(await store.made());
    for (const job of jobs.slice(1)) await store.reports.add(job, member("bob"), DAY);
    const [first = ""] = jobs;
    const oneMore = store.reports.add(first, member("bob"), 2 * DAY);
    await expect(oneMore).rejects.toMatchObject({ code: "too_many_reports", params: { max: 20 } });
    await store.reports.add(first, member("cleo"), 2 * DAY);
    await store.reports.add(first, member("bob"), 2 * DAY + 1);
    expect(await store.reports.isWithheld(first)).toBe(true);
  });

  it("lose their name when they are forgotten, and count on", async () => {
    await using store = await open();
    const job = await store.made();
    await store.reports.add(job, member("bob"));
    await store.reports.decide(job, "withhold", operator, "operator");
    expect(await store.reports.madeBy("telegram:bob")).toMatchObject([{ job }]);
    for (const user of ["telegram:bob", operator.user] as const) await store.reports.forget(user);
    expect(await store.reports.madeBy("telegram:bob")).toEqual([]);
    expect(await store.reports.find(job)).toMatchObject({
      reports: 1,
      by: "forgotten",
      role: "operator",
      state: "withheld",
    });
  });
});

describe("somebody who has themselves forgotten between two reports", () => {
  it("is counted once all the same, and nobody can read who it was", async () => {
    await using store = await open();
    const job = await store.made();
    const other = await store.made();
    await store.reports.add(other, member("bob"));
    for (let time = 0; time < 3; time++) {
      const { changed } = await store.reports.add(job, member("bob"));
      expect(changed).toBe(time === 0);
      await store.reports.forget("telegram:bob");
    }
    expect(await store.reports.find(job)).toMatchObject({ reports: 1, state: "open" });
    const rows = await store.database.kysely.selectFrom("reports").select("reporter").execute();
    expect(new Set(rows.map(({ reporter }) => reporter)).size).toBe(2);
    expect(JSON.stringify(rows)).not.toContain("bob");
    await store.reports.add(job, member("cleo"));
    expect(await store.reports.isWithheld(job)).toBe(true);
  });
});

describe("what can be reported", () => {
  it("is a result that was made in a group, and still kept", async () => {
    await using store = await open();
    const gone = store.reports.add("gone", member("bob"));
    await expect(gone).rejects.toMatchObject({ code: "stale_button" });
    const asked = { user: "telegram:ann", chat: GROUP, surface: "telegram" } as const;
    const failed = await endedJob(store.ledger, asked, { at: 1, cost: 0 });
    const inPrivate = await endedJob(store.ledger, { chat: null }, { at: 1, cost: 1, seconds: 1 });
    for (const job of [failed, inPrivate]) {
      const refused = store.reports.decide(job, "withhold", operator, "operator");
      await expect(refused).rejects.toMatchObject({ code: "stale_button" });
    }
    expect(await store.reports.waiting(9)).toEqual([]);
  });

  it("is not put back before it was taken down", async () => {
    await using store = await open();
    const refused = store.reports.decide(await store.made(), "restore", operator, "operator");
    await expect(refused).rejects.toMatchObject({ code: "stale_button" });
  });
});

describe("what was reported", () => {
  it("is listed page by page, the latest job first, without what is settled", async () => {
    await using store = await open();
    const jobs = [await store.made(), await store.made(), await store.made()].toSorted().toReversed();
    for (const job of jobs) await store.reports.add(job, member("bob"));
    const [latest = "", middle, oldest = ""] = jobs;
    await store.reports.decide(oldest, "settle", operator, "operator");
    const listed = async (limit: number, before?: string) =>
      (await store.reports.waiting(limit, { before })).map(({ job }) => job);
    expect(await listed(1)).toEqual([latest]);
    expect(await listed(9, latest)).toEqual([middle]);
  });

  it("is erased with its job, and in time, but for what is withheld", async () => {
    await using store = await open();
    const { reports, ledger, database } = store;
    const [erased, old, down] = [await store.made(), await store.made(), await store.made()];
    for (const job of [erased, old, down]) await reports.add(job, member("bob"), 1);
    await reports.decide(down, "withhold", operator, "operator", { at: 2 });
    await ledger.remove(erased);
    await reports.expire(1_000);
    const rows = await database.kysely.selectFrom("reports").select("job").execute();
    expect(rows).toEqual([{ job: down }]);
    expect(await reports.waiting(9)).toMatchObject([{ job: down, state: "withheld" }]);
  });
});
