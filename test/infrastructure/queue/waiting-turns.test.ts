import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RATE_LIMITS } from "../../../src/common/contract.ts";
import { Limiter, type Turn } from "../../../src/infrastructure/queue/limiter.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import { openDatabase, type Database } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { settled, W } from "./arrivals.ts";

const N = 5;
const TURN: Turn = { group: "video", key: "k", user: "me" };

const notNow = () => Promise.reject(new Error("not now"));

describe("a turn that is for what may not leave after all", () => {
  let database: Database;
  let limiter: Limiter;
  beforeEach(async () => {
    vi.useFakeTimers();
    // Time passes here by steps, and no disk keeps up with them.
    database = await openDatabase(join(temporaryFolder(), "reelay.db"), async () => {});
    limiter = new Limiter({ log: new WindowLog(database, W), limits: { ...RATE_LIMITS, video: N } });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.close();
  });

  it("gives its slot back where it does not", async () => {
    const [outcome] = await settled([
      limiter.run({ ...TURN, beforeSend: notNow }, () => expect.fail("was sent")),
    ]);
    expect(outcome).toMatchObject({ reason: new Error("not now") });
    expect(await database.kysely.selectFrom("rate_slots").selectAll().execute()).toEqual([]);
  });

  it("tells that it waits, and does not where it leaves at once", async () => {
    const told: number[] = [];
    const run = (nth: number) =>
      limiter.run({ ...TURN, user: `${nth}`, onWait: () => void told.push(nth) }, async () => {});
    for (let nth = 0; nth < N; nth += 1) await run(nth);
    await settled([run(N), run(N + 1)]);
    expect(told).toEqual([N, N + 1]);
  });
});
