import * as fc from "fast-check";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { countJobs } from "../../../src/domain/jobs/count.ts";
import { recordOf } from "../../../src/domain/jobs/job-record.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { jobsOf, waitingForKey } from "../../../src/domain/jobs/listing.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { JOB_STATUSES } from "../../../src/seam/access/job-record.ts";
import type { JobQuery } from "../../../src/seam/access/jobs.ts";
import { startEngines } from "../../contract/storage/engines.ts";
import { explained } from "../../support/explained.ts";
import { MANY_EVERY_MS, MANY_SINCE, manyJobs, turnsWhile } from "../../support/many-jobs.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const engines = await startEngines();

const USER = "http:shop";

/** Around the time of one of the jobs, and not always one of a job. */
const time = fc.option(
  fc.integer({ min: -2, max: 9_100 }).map((halves) => MANY_SINCE + (halves * MANY_EVERY_MS) / 2),
  { nil: undefined },
);

const maybe = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

const queries = fc.record({
  limit: fc.constantFrom(1, 2, 20, 500, 10_000),
  status: maybe(...JOB_STATUSES),
  operation: maybe<JobQuery["operation"]>("video", "image", ["image", "video"], ["image"], "mask"),
  username: maybe("ann", "ben", "zoe", "nobody"),
  since: time,
  until: time,
  cursor: fc.option(fc.nat({ max: 4_499 }), { nil: undefined }),
});

/** Whether a job is sought, by what is told of it. */
function isSought(job: Job, { before, status, operation, username, since, until }: JobQuery): boolean {
  return (
    job.user === USER &&
    (before === undefined || job.id < before) &&
    (status === undefined || recordOf(job).status === status) &&
    (operation === undefined || [operation].flat().includes(job.operation)) &&
    (username === undefined || job.tags.inAppUsername === username) &&
    (since === undefined || job.createdAt >= since) &&
    (until === undefined || job.createdAt < until)
  );
}

describe.each(engines)("somebody's jobs on $name", (engine) => {
  let database: Database;
  let jobs: readonly Job[];
  beforeAll(async () => {
    const nodes = await engine.open();
    [database] = nodes;
    jobs = await manyJobs(database);
    return async () => {
      for (const node of new Set(nodes)) await node.close();
    };
  });

  it("are those that are sought, newest first, whatever they are sought by", async () => {
    const newestFirst = jobs.toReversed();
    await fc.assert(
      fc.asyncProperty(queries, async ({ cursor, ...query }) => {
        const sought = { ...query, before: cursor === undefined ? undefined : jobs[cursor]?.id };
        const found = await jobsOf(database, USER, sought);
        const expected = newestFirst.filter((job) => isSought(job, sought)).slice(0, sought.limit);
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 300 },
    );
  });

  it("are looked through while others have their turn", async () => {
    expect(
      await turnsWhile(() => jobsOf(database, USER, { limit: 20, operation: "mask" })),
    ).toBeGreaterThanOrEqual(2);
  });
});

describe("what one of somebody's lists, or counts, looks through", () => {
  it.each<[Omit<JobQuery, "limit">, string]>([
    [{}, "jobs_of_user (user=?)"],
    [{ before: "b" }, "jobs_of_user (user=? AND id<?)"],
    [{ since: 1_000, until: 2_000 }, "jobs_of_user (user=? AND id>? AND id<?)"],
    [{ username: "ann" }, "jobs_named (user=? AND in_app_username=?)"],
    [{ username: "ann", until: 2_000 }, "jobs_named (user=? AND in_app_username=? AND id<?)"],
    [{ username: "ann", status: "failed", operation: "image" }, "jobs_named (user=? AND in_app_username=?)"],
    [{ status: "failed" }, "jobs_in_vain (user=?)"],
    [{ status: "cancelled", before: "b", operation: ["image"] }, "jobs_in_vain (user=? AND id<?)"],
    [{ status: "queued" }, "jobs_going_on (user=? AND going_on=?)"],
    [{ status: "running", before: "b" }, "jobs_going_on (user=? AND going_on=?)"],
    [{ status: "running", username: "ann" }, "jobs_going_on (user=? AND going_on=? AND in_app_username=?)"],
  ])("is no more than an index has of what is sought: %j", async (query, index) => {
    const path = join(temporaryFolder(), "reelay.db");
    const opened = await openDatabase(path);
    const { database, plans } = explained(opened, path);
    await jobsOf(database, USER, { ...query, limit: 20 });
    const looks = plans.filter((plan) => plan !== "USE TEMP B-TREE FOR ORDER BY");
    expect(new Set(looks.map((plan) => plan.replace(/^SEARCH jobs USING (COVERING )?INDEX /, "")))).toEqual(
      new Set([index]),
    );
    await opened.close();
  });

  it("is what goes on in a chat", async () => {
    const path = join(temporaryFolder(), "reelay.db");
    const opened = await openDatabase(path);
    const { database, plans } = explained(opened, path);
    await countJobs(database, { chat: "telegram:-1", goingOn: true });
    expect(plans).toEqual([expect.stringContaining("INDEX jobs_open_by_chat (chat=?)")]);
    await opened.close();
  });
});

it.each([{ user: "telegram:ann" }, { chat: "telegram:-1" }] as const)(
  "finds what waits for a key among what goes on, whatever there was before: %j",
  async (payer) => {
    const path = join(temporaryFolder(), "reelay.db");
    const opened = await openDatabase(path);
    const { database, plans } = explained(opened, path);
    await waitingForKey(database, payer);
    expect(plans[0]).toMatch(/INDEX jobs_(going_on \(user=\? AND going_on=\?\)|open_by_\w+)/);
    await opened.close();
  },
);
