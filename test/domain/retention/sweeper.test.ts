import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as realTime } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import { Surfaces } from "../../../src/seam/surface/surfaces.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { toRow } from "../../../src/domain/jobs/row.ts";
import { Sweeper, type SweeperParts } from "../../../src/domain/retention/sweeper.ts";
import { Traces } from "../../../src/domain/retention/traces.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { sumUsage } from "../../../src/domain/usage/usage.ts";
import { endedJob } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { MemorySurface } from "../../support/surface.ts";
import { partsOver } from "./parts.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-03-01T12:00:00Z");
/** Days ago, in milliseconds since 1970. */
const ago = (days: number) => NOW - days * DAY;

let data: string;
let database: Database;
let ledger: Ledger;

beforeEach(async () => {
  data = temporaryFolder();
  database = await openDatabase(join(data, "reelay.db"));
  ledger = new Ledger(database, "runner");
});

afterEach(async () => {
  vi.restoreAllMocks();
  await database.close();
});

/** Takes note of its calls. */
const heard = () => vi.fn<(time?: number) => Promise<void>>(async () => {});

const sweeperOf = (different: Partial<SweeperParts> = {}) =>
  new Sweeper({ ...partsOver(database), now: () => NOW, ...different });

/** A job that ended so many days ago; its person was told a minute later, unless they wait. */
const job = (days: number, { told = true, user = "web:me" as const } = {}) =>
  endedJob(
    ledger,
    { user },
    { at: ago(days), cost: 2, seconds: 30, ...(told && { toldAt: ago(days) + 60_000 }) },
  );

const left = async () => (await ledger.ofUser("web:me", { limit: 500 })).map(({ id }) => id);

describe("jobs", () => {
  it("go so many days after their people were told, and still count in sums", async () => {
    await job(91);
    const young = await job(89);
    expect(await sweeperOf().sweep()).toEqual({ jobs: 1 });
    expect(await left()).toEqual([young]);
    expect(await sumUsage(database, { by: [] }, false)).toMatchObject([{ jobs: 2, successes: 2, tokens: 4 }]);
    expect(await sweeperOf().sweep()).toEqual({});
  });

  it("stay that are going on, that wait to be delivered, or that nobody ever saw", async () => {
    const due = await job(500, { told: false });
    const undeliverable = await job(400, { told: false });
    const stuck = await ledger.apply(await found(undeliverable), { type: "delivering" });
    await ledger.apply(stuck, { type: "undeliverable" });
    const shownAgain = await job(300);
    await ledger.apply(await found(shownAgain), { type: "redeliver" });
    expect(await sweeperOf().sweep()).toEqual({});
    expect((await left()).toSorted()).toEqual([due, undeliverable, shownAgain].toSorted());
  });

  it("count from when they were shown last", async () => {
    const id = await job(300);
    let shown = await ledger.apply(await found(id), { type: "redeliver" });
    shown = await ledger.apply(shown, { type: "delivering" });
    await ledger.apply(shown, { type: "delivered", at: ago(10) });
    expect(await sweeperOf().sweep()).toEqual({});
  });

  it("take with them what partners were told of them, but what is still to be sent", async () => {
    const [old, young] = [await job(100), await job(10)];
    for (const id of [old, young])
      await database.kysely
        .insertInto("job_events")
        .values({ user: "http:shop", job: id, type: "job.completed", data: "{}", at: NOW })
        .execute();
    const message = { user: "http:shop", url: "u", host: "h", type: "job.completed", body: "{}" };
    for (const [id, of, state, created_at] of [
      ["a", old, "delivered", ago(1)],
      ["b", old, "due", ago(1)],
      ["c", young, "delivered", ago(1)],
      ["d", null, "failed", ago(91)],
      ["e", null, "due", ago(91)],
    ] as const)
      await database.kysely
        .insertInto("webhook_deliveries")
        .values({ ...message, id, job: of, state, created_at })
        .execute();
    expect(await sweeperOf().sweep()).toEqual({ jobs: 1, webhooks: 1 });
    const events = await database.kysely.selectFrom("job_events").select("job").execute();
    expect(events).toEqual([{ job: young }]);
    const messages = await database.kysely
      .selectFrom("webhook_deliveries")
      .select("id")
      .orderBy("id")
      .execute();
    expect(messages.map(({ id }) => id)).toEqual(["b", "c", "e"]);
  });
});

describe("the rest", () => {
  it("of the audit: what was asked for goes with the jobs, the lines later", async () => {
    const audit = await Audit.open(database, "words");
    for (const days of [400, 100, 10]) {
      using _ = vi.spyOn(Date, "now").mockReturnValue(ago(days));
      await audit.write({ act: "allow", surface: "web", user: "web:me", values: { prompt: `${days} days` } });
    }
    expect(await sweeperOf().sweep()).toEqual({ inputs: 2, lines: 1 });
    const lines = await audit.read({ limit: 9 });
    expect(lines.map(({ content }) => content)).toEqual([{ prompt: "10 days" }, null]);
    expect(lines[1]?.digest).not.toBeNull();
  });

  it("of the sums: names go, the sums stay", async () => {
    for (const days of [900, 731, 730, 5]) await ledger.remove(await job(days));
    const before = await sumUsage(database, { by: ["day", "operation"] }, false);
    expect(await sweeperOf().sweep()).toEqual({ names: 2 });
    expect(await sumUsage(database, { by: ["day", "operation"] }, false)).toEqual(before);
    const names = await sumUsage(database, { by: ["username"] }, false);
    expect(names.map(({ username, jobs }) => [username, jobs])).toEqual([
      [null, 2],
      ["someone", 2],
    ]);
  });

  it("of small things: what has expired goes, although nothing new is written", async () => {
    {
      using _ = vi.spyOn(Date, "now").mockReturnValue(ago(1));
      await memory(database, "questions").set("old", { words: "a zebra" }, 1_000);
    }
    expect(await sweeperOf().sweep()).toEqual({ entries: 1 });
    expect(await database.kysely.selectFrom("kv").select("key").execute()).toEqual([]);
  });

  it("of budgets: what was spent in days that are long over goes, what may still be corrected stays", async () => {
    const rows = [
      { entry: "of today", tokens: 1, until: NOW + 1_000 },
      { entry: "of yesterday", tokens: 1, until: ago(1) },
      { entry: "of before", tokens: 1, until: ago(3) },
    ];
    await database.kysely.insertInto("spent").values(rows).execute();
    expect(await sweeperOf().sweep()).toEqual({ budgets: 1 });
    const left = await database.kysely.selectFrom("spent").select("entry").orderBy("entry").execute();
    expect(left.map(({ entry }) => entry)).toEqual(["of today", "of yesterday"]);
  });

  it("that others keep is theirs to erase, and one's trouble keeps nobody else's", async () => {
    const [telegram, web] = [new MemorySurface("telegram"), new MemorySurface("web")];
    vi.spyOn(telegram, "expire").mockRejectedValue(new Error("down"));
    const expired = vi.spyOn(web, "expire");
    const [reports, links, inputs] = [{ expire: heard() }, { sweep: heard() }, { sweep: heard() }];
    await sweeperOf({ surfaces: new Surfaces([telegram, web], []), reports, links, inputs }).sweep();
    expect(expired.mock.calls).toEqual([[ago(90)]]);
    expect(reports.expire.mock.calls).toEqual([[ago(365)]]);
    expect(links.sweep).toHaveBeenCalledOnce();
    expect(inputs.sweep.mock.calls).toEqual([[ago(90)]]);
  });

  it("is kept for good where 0 days are set", async () => {
    const web = new MemorySurface("web");
    const expired = vi.spyOn(web, "expire");
    const reports = { expire: heard() };
    await job(4000);
    await ledger.remove(await job(4000));
    const keepDays = { jobs: 0, audit: 0, usage: 0 };
    expect(await sweeperOf({ keepDays, reports, surfaces: new Surfaces([web], []) }).sweep()).toEqual({});
    expect(await left()).toHaveLength(1);
    expect(expired).not.toHaveBeenCalled();
    expect(reports.expire).not.toHaveBeenCalled();
  });
});

/** As many more jobs like one. */
async function copies(id: string, count: number): Promise<void> {
  const row = { ...toRow(await found(id)), runner: "runner" };
  await database.kysely.transaction().execute(async (db) => {
    for (let nth = 0; nth < count; nth += 1)
      await db
        .insertInto("jobs")
        .values({ ...row, id: `${id}-${nth}`, service_id: `${id}-${nth}` })
        .execute();
  });
}

describe("a sweep of many", () => {
  it("gives everybody else their turns, and does no harm where two processes sweep at once", async () => {
    await copies(await job(100), 3_999);
    const by = ["day", "username", "operation"] as const;
    const before = await sumUsage(database, { by }, false);
    const child = fork(new URL("sweep-child.ts", import.meta.url), [join(data, "reelay.db"), `${NOW}`], {
      stdio: ["pipe", "pipe", "inherit", "ipc"],
    });
    const said = text(child.stdout ?? process.stdin);
    await once(child.stdout ?? process.stdin, "readable");
    let turns = 0;
    const turn = setInterval(() => (turns += 1), 1);
    child.stdin?.end("now");
    const { jobs: here = 0 } = await sweeperOf().sweep();
    clearInterval(turn);
    const { jobs: there = 0 } = JSON.parse((await said).replace("ready\n", "")) as { jobs?: number };
    expect(here + there).toBe(4_000);
    expect(turns).toBeGreaterThan(10);
    expect(await left()).toEqual([]);
    expect(await sumUsage(database, { by }, false)).toEqual(before);
  });

  it("stops between two batches when the process does, and the next start goes on", async () => {
    await copies(await job(100), 599);
    const sweeper = sweeperOf();
    sweeper.start();
    while ((await ledger.count({ user: "web:me" })) === 600) await realTime(1);
    await sweeper.stop();
    const between = await ledger.count({ user: "web:me" });
    expect(between).toBeGreaterThan(0);
    expect(await sweeperOf().sweep()).toEqual({ jobs: between });
  });

  it("comes every hour", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const links = { sweep: heard() };
    const sweeper = sweeperOf({ links });
    sweeper.start();
    await vi.waitFor(() => expect(links.sweep).toHaveBeenCalledTimes(1), PATIENCE_MS);
    vi.advanceTimersByTime(3_600_000);
    vi.useRealTimers();
    await vi.waitFor(() => expect(links.sweep).toHaveBeenCalledTimes(2), PATIENCE_MS);
    await sweeper.stop();
  });
});

describe("traces of those who were forgotten", () => {
  it("are gone with the next sweep, at most once a day, and not without need", async () => {
    const traces = new Traces(database);
    expect(await traces.compact(NOW)).toBe("not_due");
    await traces.wipe(NOW);
    expect(await traces.compact(NOW + 1)).toBe("done");
    expect(await traces.compact(NOW + 2 * DAY)).toBe("not_due");
    await traces.wipe(NOW + 2);
    expect(await traces.compact(NOW + 3)).toBe("not_due");
    expect(await traces.compact(NOW + 1 + DAY)).toBe("done");
  });
});

async function found(id: string) {
  const one = await ledger.find(id);
  if (!one) throw new Error("It is gone.");
  return one;
}
