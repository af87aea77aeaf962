import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countJobs } from "../../../src/domain/jobs/count.ts";
import { isGoingOn } from "../../../src/domain/jobs/job-view.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { toRow } from "../../../src/domain/jobs/row.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { aJob, aRequest } from "../../support/job.ts";
import { explained } from "../../support/explained.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const shop = { user: "http:shop" } as const;
const ann = { ...shop, username: "ann" };
const annJob = aRequest({ ...shop, tags: { platform: "shop", inAppUsername: "ann" } });
const benJob = aRequest({ ...shop, tags: { platform: "shop", inAppUsername: "ben" } });

describe("counting jobs", () => {
  let path: string;
  let database: Database;
  beforeEach(async () => {
    path = join(temporaryFolder(), "reelay.db");
    database = await openDatabase(path);
  });
  afterEach(() => database.close());

  it("tells people of one partner apart, and what is over from what goes on", async () => {
    const ledger = new Ledger(database, "one");
    const first = await ledger.add(annJob, 1);
    await ledger.add(annJob, 2);
    await ledger.add(benJob, 3);
    expect(await ledger.count(shop)).toBe(3);
    expect(await ledger.count(ann)).toBe(2);
    let job = await ledger.apply(first, { type: "cancelled", at: 4 });
    // Cancelled, but that is still to be told.
    expect(await ledger.count({ ...ann, goingOn: true })).toBe(2);
    job = await ledger.apply(job, { type: "delivering" });
    await ledger.apply(job, { type: "delivered", at: 5 });
    expect(await ledger.count({ ...ann, goingOn: true })).toBe(1);
    expect(await ledger.count({ ...shop, goingOn: true })).toBe(2);
  });

  const states: Job["state"][] = [
    "queued",
    "submitting",
    "unsure",
    "running",
    "completed",
    "failed",
    "cancelled",
  ];
  const deliveries: Job["delivery"][] = ["none", "due", "delivering", "delivered", "undeliverable"];
  it.each(states.flatMap((state) => deliveries.map((delivery) => [state, delivery] as const)))(
    "means by going on what the program does: %s, %s",
    async (state, delivery) => {
      const job = aJob({ state, delivery });
      await database.kysely
        .insertInto("jobs")
        .values({ ...toRow(job), runner: "one" })
        .execute();
      expect(await countJobs(database, { goingOn: true })).toBe(isGoingOn(job) ? 1 : 0);
    },
  );

  it.each([shop, ann])("does not read what has ended: %j", async (asked) => {
    const { database: looking, plans } = explained(database, path);
    await countJobs(looking, { ...asked, goingOn: true });
    expect(plans).toEqual([expect.stringContaining("INDEX jobs_going_on (user=? AND going_on=?")]);
  });
});

const refuse = () => Promise.reject(new Error("full"));

describe("what is done together with writing a job", () => {
  it("keeps it from being written when it fails, and is not done for a request that made one before", async () => {
    await using stack = new AsyncDisposableStack();
    const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
    stack.defer(() => database.close());
    const ledger = new Ledger(database, "one");
    const heard: string[] = [];
    ledger.onChange(({ job }) => heard.push(job.id));
    await expect(ledger.add(annJob, 1, refuse)).rejects.toThrow("full");
    expect(await ledger.count(shop)).toBe(0);
    const made = await ledger.add({ ...annJob, request: "http:7" }, 1);
    expect(await ledger.add({ ...annJob, request: "http:7" }, 2, refuse)).toEqual(made);
    expect(heard).toEqual([made.id]);
  });
});
