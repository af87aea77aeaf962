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
    expect(await aheadOf(database, user, [idOf(6)])).toEqual(new Map([[idOf(6), 2]]));
    const asked = [idOf(9), idOf(4), idOf(6), idOf(2)];
    const found = await aheadOf(database, user, asked);
    expect(asked.map((id) => found.get(id))).toEqual([3, 1, 2, undefined]);
    expect(await aheadOf(database, user, [])).toEqual(new Map());
    // One that is about to be written comes last.
    expect(await aheadOf(database, user, [idOf(10)])).toEqual(new Map([[idOf(10), 4]]));
  });

  it("are counted up to a bound, however many wait", async () => {
    const count = MOST_AHEAD + 200;
    await add(Array.from({ length: count }, (_, nth) => nth));
    const last = idOf(count - 1);
    expect(await aheadOf(database, user, [last])).toEqual(new Map([[last, MOST_AHEAD]]));
    const found = await aheadOf(database, user, [idOf(MOST_AHEAD - 1), last, idOf(MOST_AHEAD)]);
    expect([...found.values()]).toContain(MOST_AHEAD);
    expect(found.get(idOf(MOST_AHEAD - 1))).toBe(MOST_AHEAD - 1);
  });

  it("are found by the index of those that wait, from the first to the last that is asked about", async () => {
    const { database: looking, plans } = explained(database, path);
    await aheadOf(looking, user, [idOf(1), idOf(2)]);
    const index = "INDEX jobs_open_by_user (user=? AND state=? AND not_before=? AND id>? AND id<?)";
    expect(plans).toEqual([expect.stringContaining(index)]);
  });
});
