import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aheadOf } from "../../../src/domain/jobs/listing.ts";
import { MOST_AHEAD } from "../../../src/seam/access/job-record.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { toRow } from "../../../src/domain/jobs/row.ts";
import { aJob } from "../../support/job.ts";
import { explained } from "../../support/explained.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const user = "http:shop";
const idOf = (nth: number) => String(nth).padStart(19, "0");

/** Jobs of one operation. */
const jobs = (nths: readonly number[], operation = "video") =>
  nths.map((nth) => ({ id: idOf(nth), operation }));

describe("how many jobs go before one", () => {
  let path: string;
  let database: Database;
  beforeEach(async () => {
    path = join(temporaryFolder(), "reelay.db");
    database = await openDatabase(path);
  });
  afterEach(() => database.close());

  async function add(nths: readonly number[], different: Parameters<typeof aJob>[0] = {}) {
    const rows = nths.map((nth) => ({
      ...toRow(aJob({ user, id: idOf(nth), ...different })),
      runner: "one",
    }));
    for (let from = 0; from < rows.length; from += 100)
      await database.kysely
        .insertInto("jobs")
        .values(rows.slice(from, from + 100))
        .execute();
  }

  it("are a person's own that wait for their turn, and were asked for before", async () => {
    await add([1, 4, 6, 9]);
    await add([2], { state: "running" });
    await add([3], { user: "http:other" });
    await add([5], { notBefore: 1_000 });
    expect(await aheadOf(database, user, jobs([6]))).toEqual(new Map([[idOf(6), 2]]));
    const asked = jobs([9, 4, 6, 2]);
    const found = await aheadOf(database, user, asked);
    expect(asked.map(({ id }) => found.get(id))).toEqual([3, 1, 2, undefined]);
    expect(await aheadOf(database, user, [])).toEqual(new Map());
    // One that is about to be written comes last.
    expect(await aheadOf(database, user, jobs([10]))).toEqual(new Map([[idOf(10), 4]]));
  });

  it("are those that count in the same window of the service: others do not go before it", async () => {
    await add([1, 4]);
    await add([2, 5, 8], { operation: "h3-text" });
    await add([3, 7], { operation: "video-audio" });
    const asked = [...jobs([4]), ...jobs([2, 8], "h3-text"), ...jobs([7], "video-audio")];
    const found = await aheadOf(database, user, asked);
    expect(asked.map(({ id }) => found.get(id))).toEqual([1, 0, 4, 3]);
  });

  it("are counted up to a bound, however many wait", async () => {
    const count = MOST_AHEAD + 200;
    await add(Array.from({ length: count }, (_, nth) => nth));
    const last = idOf(count - 1);
    expect(await aheadOf(database, user, jobs([count - 1]))).toEqual(new Map([[last, MOST_AHEAD]]));
    const found = await aheadOf(database, user, jobs([MOST_AHEAD - 1, count - 1, MOST_AHEAD]));
    expect([...found.values()]).toContain(MOST_AHEAD);
    expect(found.get(idOf(MOST_AHEAD - 1))).toBe(MOST_AHEAD - 1);
  });

  it("are found by the index of those that wait, from the first to the last that is asked about", async () => {
    const { database: looking, plans } = explained(database, path);
    // Prepared: it is not planned again.
    await aheadOf(database, user, jobs([1], "faceswap"));
    await aheadOf(looking, user, jobs([1, 2], "faceswap"));
    const index =
      "INDEX jobs_open_by_user (user=? AND state=? AND operation=? AND not_before=? AND id>? AND id<?)";
    const searched = plans.filter((plan) => plan.includes("jobs"));
    expect([...new Set(searched)]).toEqual([expect.stringContaining(index)]);
  });
});
