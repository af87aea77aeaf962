import * as fc from "fast-check";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Tags } from "../../../src/seam/values.ts";
import { Ledger, type NewJob } from "../../../src/domain/jobs/ledger.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { dialectOf } from "../../../src/infrastructure/storage/dialect.ts";
import { sumUsage } from "../../../src/domain/usage/usage.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { DIMENSIONS, type Dimension, type UsageQuery } from "../../../src/seam/access/usage.ts";
import { aRequest, type End, endedJob } from "../../support/job.ts";
import { MANY_SINCE, manyJobs, turnsWhile } from "../../support/many-jobs.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const DAY_MS = 24 * 60 * 60_000;
const FIRST = Date.parse("2026-01-30T00:00:00Z");

let database: Database;
let ledger: Ledger;

beforeEach(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  ledger = new Ledger(database, "one");
});

afterEach(() => database.close());

const made = (request: Partial<NewJob>, end: End) =>
  endedJob(ledger, request, { ...end, toldAt: end.at + 120_000 });

const named = (inAppUsername: string, platform = "shop"): { tags: Tags } => ({
  tags: { platform, inAppUsername },
});

/** Two people on three days. */
async function someUsage(): Promise<{ readonly anns: readonly string[] }> {
  const [ann, ben] = ["telegram:ann", "telegram:ben"] as const;
  const anns = [
    await made({ ...named("ann"), user: ann }, { at: FIRST, cost: 0.1, seconds: 10 }),
    await made({ ...named("ann"), user: ann }, { at: FIRST + DAY_MS - 1, cost: 0.2, seconds: 21 }),
    await made({ ...named("ann"), user: ann, operation: "image" }, { at: FIRST + DAY_MS, cost: 0 }),
  ];
  await made({ ...named("ben"), user: ben }, { at: FIRST + 2 * DAY_MS, cost: 4.5, seconds: 30 });
  await made({ ...named("ben", "telegram"), user: ben }, { at: FIRST, cost: 1, seconds: 5 });
  return { anns };
}

describe("usage", () => {
  it("sums jobs, successes, tokens and the time to a result, in the order of what it is summed by", async () => {
    await someUsage();
    expect(await sumUsage(database, { by: ["platform", "operation"] }, false)).toEqual([
      { platform: "shop", operation: "image", jobs: 1, successes: 0, tokens: 0, seconds: null },
      { platform: "shop", operation: "video", jobs: 3, successes: 3, tokens: 4.8, seconds: 20.3 },
      { platform: "telegram", operation: "video", jobs: 1, successes: 1, tokens: 1, seconds: 5 },
    ]);
    // The clock was set back by a day while it was made: what it took is not known.
    await made({ ...named("ann"), user: "telegram:ann" }, { at: FIRST, cost: 0, seconds: -86_400 });
    expect(await sumUsage(database, { by: ["operation"], platform: "shop" }, false)).toMatchObject([
      { jobs: 1, seconds: null },
      { jobs: 4, seconds: 20.3 },
    ]);
  });

  it("sums what was made on a day, and for a name", async () => {
    await someUsage();
    const daily = await sumUsage(database, { by: ["day", "username"] }, false);
    expect(daily.map(({ day, username, jobs, tokens }) => [day, username, jobs, tokens])).toEqual([
      ["2026-01-30", "ann", 2, 0.3],
      ["2026-01-30", "ben", 1, 1],
      ["2026-01-31", "ann", 1, 0],
      ["2026-02-01", "ben", 1, 4.5],
    ]);
  });

  it("is nothing where nothing was made, and one row where it is summed by nothing", async () => {
    expect(await sumUsage(database, { by: ["platform"] }, false)).toEqual([]);
    expect(await sumUsage(database, { by: [] }, false)).toEqual([
      { jobs: 0, successes: 0, tokens: 0, seconds: null },
    ]);
    await someUsage();
    expect(await sumUsage(database, { by: [] }, false)).toEqual([
      { jobs: 5, successes: 4, tokens: 5.8, seconds: 16.5 },
    ]);
  });

  it.each([
    [{ since: "2026-01-31" }, 2],
    [{ until: "2026-01-31" }, 4],
    [{ since: "2026-01-31", until: "2026-01-31" }, 1],
    [{ platform: "telegram" }, 1],
    [{ username: "ann" }, 3],
    [{ operation: "image" }, 1],
    [{ username: "ann", operation: "video", until: "2026-01-29" }, 0],
  ])("counts only what fits %j", async (filter, jobs) => {
    await someUsage();
    expect((await sumUsage(database, { by: [], ...filter }, false))[0]?.jobs).toBe(jobs);
  });

  it("counts what is going on, and what was cancelled, as no success", async () => {
    await ledger.add(aRequest(), FIRST);
    await ledger.apply(await ledger.add(aRequest(), FIRST), { type: "cancelled", at: FIRST + 1 });
    expect(await sumUsage(database, { by: [] }, false)).toEqual([
      { jobs: 2, successes: 0, tokens: 0, seconds: null },
    ]);
  });

  it("stays the same when jobs are deleted", async () => {
    const { anns } = await someUsage();
    const by = ["platform", "username", "operation", "day"] as const;
    const before = await sumUsage(database, { by }, false);
    for (const id of anns) await ledger.remove(id);
    expect(await ledger.count({ user: "telegram:ann" })).toBe(0);
    expect(await sumUsage(database, { by }, false)).toEqual(before);
  });

  it("keeps no name of somebody who wants to be forgotten, but the sums", async () => {
    const { anns } = await someUsage();
    await ledger.remove(anns[0] ?? "");
    const before = await sumUsage(database, { by: ["platform", "operation", "day"] }, false);
    await ledger.forget("telegram:ann");
    expect(await sumUsage(database, { by: ["platform", "operation", "day"] }, false)).toEqual(before);
    const names = await sumUsage(database, { by: ["username"] }, false);
    expect(names.map(({ username, jobs }) => [username, jobs])).toEqual([
      [null, 3],
      ["ben", 2],
    ]);
    const kept = JSON.stringify(await database.kysely.selectFrom("erased_jobs").selectAll().execute());
    expect(kept).not.toMatch(/ann|slow zoom|photo/);
    // Once more: those that are nobody's already are not touched, nor counted twice.
    await ledger.forget("telegram:ann");
    expect(await sumUsage(database, { by: ["username"] }, false)).toEqual(names);
  });
});

/** What jobs are summed by, of one of them. */
const partsOf = ({ tags, operation, createdAt }: Job): Record<Dimension, string> => ({
  platform: tags.platform,
  username: tags.inAppUsername,
  operation,
  day: new Date(createdAt).toISOString().slice(0, 10),
});

/** One of some values, or none. */
const maybe = (...values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

const dayAt = (days: number) => new Date(MANY_SINCE + days * DAY_MS).toISOString().slice(0, 10);

/** The sums of some jobs, one job after another. */
function summed(jobs: readonly Job[], { by, since, until, platform, username, operation }: UsageQuery) {
  const counted = jobs
    .map((job) => ({ job, of: partsOf(job) }))
    .filter(
      ({ of }) =>
        (since === undefined || of.day >= since) &&
        (until === undefined || of.day <= until) &&
        (platform === undefined || of.platform === platform) &&
        (username === undefined || of.username === username) &&
        (operation === undefined || of.operation === operation),
    );
  const groups = Map.groupBy(counted, ({ of }) => by.map((dimension) => of[dimension]).join("\0"));
  if (by.length === 0 && groups.size === 0) groups.set("", []);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, alike]) => {
      const made = alike.flatMap(({ job }) => (job.state === "completed" ? [job] : []));
      const ms = made.reduce((sum, job) => sum + (job.endedAt ?? 0) - job.createdAt, 0);
      const names = key.split("\0");
      return Object.assign(Object.fromEntries(by.map((dimension, place) => [dimension, names[place]])), {
        jobs: alike.length,
        successes: made.length,
        tokens: Math.round(alike.reduce((sum, { job }) => sum + (job.cost ?? 0) * 100, 0)) / 100,
        seconds: made.length === 0 ? null : Math.round(ms / made.length / 100) / 10,
      });
    });
}

describe("usage of more jobs than are looked at in one go", () => {
  let jobs: readonly Job[];
  beforeEach(async () => {
    jobs = (await manyJobs(database)).filter(({ user }) => user === "http:shop");
  });

  const day = fc.option(fc.integer({ min: -1, max: 4 }).map(dayAt), { nil: undefined });
  const queries = fc.record({
    by: fc.shuffledSubarray([...DIMENSIONS]),
    since: day,
    until: day,
    platform: maybe("shop", "telegram", "web"),
    username: maybe("ann", "zoe", "\u00e9ve", "nobody"),
    operation: maybe("video", "image", "mask"),
  });

  it("is that of each job, whether it was deleted or not", async () => {
    for (const { id } of jobs.filter((_, nth) => nth % 16 === 0)) await ledger.remove(id);
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        expect(await sumUsage(database, { ...query, user: "http:shop" }, false)).toEqual(summed(jobs, query));
      }),
      { numRuns: 100 },
    );
  });

  it("is the same while jobs are deleted, each counted once", async () => {
    const query = { user: "http:shop", by: ["operation"] } as const;
    const before = await sumUsage(database, query, false);
    const erased = jobs.filter((_, nth) => nth % 40 === 0).map(({ id }) => id);
    const [found] = await Promise.all([
      Promise.all(Array.from({ length: 12 }, () => sumUsage(database, query, false))),
      (async () => {
        for (const id of erased) await ledger.remove(id);
      })(),
    ]);
    expect(found).toEqual(Array.from({ length: 12 }, () => before));
  });

  it("is summed while others have their turn", async () => {
    const turns = await turnsWhile(() => sumUsage(database, { user: "http:shop", by: ["day"] }, false));
    // A server sums all of them at once, elsewhere.
    expect(turns).toBeGreaterThanOrEqual(dialectOf(database.kysely).hasOneWriter ? 2 : 1);
  });
});
