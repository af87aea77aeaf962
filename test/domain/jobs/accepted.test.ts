import * as fc from "fast-check";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acceptedLast, othersSince } from "../../../src/domain/jobs/accepted.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { toRow } from "../../../src/domain/jobs/row.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { explained } from "../../support/explained.ts";
import { aJob } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const SINCE = 5;
const LISTED = ["s1", "s3"];
const asked = aJob({ id: "asked", keyId: "key", state: "unsure", submittedAt: SINCE });

/** Around the time that is asked about, or none. */
const time = fc.option(fc.integer({ min: SINCE - 2, max: SINCE + 2 }));
/** Jobs of two keys, of which some have an id of the service. */
const jobs = fc
  .array(
    fc.record({
      keyId: fc.constantFrom("key", "another"),
      host: fc.constantFrom<Job["host"][]>("primary", "full-catalog"),
      life: fc.oneof(
        fc.record({ state: fc.constantFrom<Job["state"][]>("queued", "submitting", "unsure") }),
        fc.record({ state: fc.constant<Job["state"]>("running"), acceptedAt: time }),
        fc.record({
          state: fc.constantFrom<Job["state"][]>("completed", "failed", "cancelled"),
          delivery: fc.constantFrom<Job["delivery"][]>("due", "delivered"),
          // By another process's clock it may be sooner.
          acceptedAt: time,
          endedAt: fc.integer({ min: SINCE - 2, max: SINCE + 2 }),
        }),
      ),
      isKnown: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((some) =>
    some.map(({ life, isKnown, ...job }, nth) =>
      aJob({ ...job, ...life, id: `j${nth}`, serviceId: isKnown ? `s${nth}` : null }),
    ),
  );

/** Whether a job counts beside the one that is asked about, row by row. */
function counts({ keyId, state, acceptedAt, endedAt, serviceId }: Job): boolean {
  if (LISTED.includes(serviceId ?? "")) return true;
  if (keyId !== asked.keyId) return false;
  return (
    state === "submitting" || state === "unsure" || (acceptedAt ?? 0) >= SINCE || (endedAt ?? 0) >= SINCE
  );
}

describe("jobs beside one whose answer was lost", () => {
  const path = join(temporaryFolder(), "reelay.db");
  let database: Database;
  beforeAll(async () => void (database = await openDatabase(path)));
  afterAll(() => database.close());
  beforeEach(() => database.kysely.deleteFrom("jobs").execute());

  it("are those of its key that did something since, and those that the service's list shows", async () => {
    await fc.assert(
      fc.asyncProperty(jobs, async (some) => {
        await database.kysely.deleteFrom("jobs").execute();
        for (const job of [asked, ...some])
          await database.kysely
            .insertInto("jobs")
            .values({ ...toRow(job), runner: "one" })
            .execute();
        const found = await othersSince(database, asked, SINCE, LISTED);
        expect(found.map(({ id }) => id).toSorted()).toEqual(some.filter(counts).map(({ id }) => id));
        const last = await acceptedLast(database, "full-catalog", 2);
        const accepted = some.filter(({ host, serviceId }) => host === "full-catalog" && serviceId !== null);
        expect(last.map(({ id }) => id)).toEqual(
          accepted
            .map(({ id }) => id)
            .toReversed()
            .slice(0, 2),
        );
      }),
    );
  });

  it("are found without looking through what the key, or the host, ever had", async () => {
    const { database: looking, plans } = explained(database, path);
    await othersSince(looking, asked, SINCE, LISTED);
    await acceptedLast(looking, "primary", 2);
    const looks = new Set(plans.filter((plan) => / jobs /.test(plan)));
    expect([...looks].toSorted()).toEqual([
      expect.stringContaining("COVERING INDEX jobs_by_service_id (service_id=?)"),
      "SEARCH jobs USING INDEX jobs_of_host (host=?)",
      "SEARCH jobs USING INDEX jobs_of_key (key_id=? AND <expr>>?)",
      "SEARCH jobs USING INDEX jobs_open_by_key (key_id=? AND state=?)",
      "SEARCH jobs USING PRIMARY KEY (id=?)",
    ]);
  });
});
