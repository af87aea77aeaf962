import { getEventListeners } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ReelayError } from "../../../src/common/errors.ts";
import { RATE_LIMITS } from "../../../src/common/contract.ts";
import { Unsure } from "../../../src/infrastructure/api/transport/errors.ts";
import { Limiter, type Turn } from "../../../src/infrastructure/queue/limiter.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import { openDatabase, type Database } from "../../../src/infrastructure/storage/database.ts";
import { sleep } from "../../../src/common/time.ts";
import { type Arrival, call, settled, W } from "./arrivals.ts";

const N = 5;
const LIMITS = { ...RATE_LIMITS, user: N, status: N, video: N, delete: N };

/** A call that takes `ms` and ends in a 429. */
const refuse =
  (retryAfterMs?: number, ms = 0) =>
  async () => {
    await sleep(ms);
    throw Object.assign(new ReelayError("rate_limited"), { retryAfterMs });
  };

const videoTurn = (key: string, user = key): Turn => ({ group: "video", key, user });

/** The least distance between a request and the one `N` before it. */
function closest(arrivals: readonly Arrival[]): number {
  return Math.min(...arrivals.slice(N).map(({ at }, i) => at - (arrivals[i]?.at ?? 0)));
}

const limiterOver = (database: Database) => new Limiter({ log: new WindowLog(database, W), limits: LIMITS });

describe("the limiter", () => {
  let folder: string;
  let database: Database;
  beforeEach(() => {
    vi.useFakeTimers();
    folder = mkdtempSync(join(tmpdir(), "reelay-"));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const open = async (name = "reelay") => {
    // Time passes here by steps, and no disk keeps up with them.
    database = await openDatabase(join(folder, `${name}.db`), async () => {});
    return database;
  };

  it("takes another slot where the process stood still for a window since it took one", async () => {
    const log = new WindowLog(await open(), W);
    const take = vi.spyOn(log, "take").mockImplementationOnce(async (...asked) => {
      const taken = await WindowLog.prototype.take.apply(log, asked);
      vi.setSystemTime(Date.now() + W);
      return taken;
    });
    const held: number[] = [];
    const send = async () => {
      const slots = database.kysely.selectFrom("rate_slots").select("until").where("scope", "=", "key:k");
      for (const { until } of await slots.execute()) held.push(until - Date.now());
    };
    await settled([new Limiter({ log, limits: LIMITS }).run(videoTurn("k"), send)]);
    expect(take).toHaveBeenCalledTimes(2);
    expect(held).toHaveLength(1);
    expect(held[0]).toBeGreaterThan(2 * W);
  });

  const turn = fc.record({
    start: fc.nat(3 * W),
    up: fc.nat(W / 4),
    down: fc.nat(W / 4),
    key: fc.constantFrom("k1", "k1", "k2"),
    user: fc.constantFrom("a", "b", "c"),
    background: fc.boolean(),
    limiter: fc.nat(1),
  });

  it("never lets a window of any phase hold more than the limit, also with two limiters and a restart", async () => {
    let run = 0;
    const property = fc.asyncProperty(
      fc.array(turn, { minLength: 2 * N, maxLength: 8 * N }),
      fc.nat(3 * W),
      async (turns, restartAt) => {
        await open(String((run += 1)));
        const limiters = [limiterOver(database), limiterOver(database)];
        const arrivals: Arrival[] = [];
        const restart = async () => {
          await sleep(restartAt);
          limiters[0] = limiterOver(database);
        };
        const work = turns.map(async ({ start, up, down, limiter, ...rest }) => {
          await sleep(start);
          const turn = { group: "video", ...rest } as const;
          const sender = limiters[limiter];
          await sender?.run(turn, call(arrivals, turn, up, down));
        });
        await settled([restart(), ...work]);
        await database.close();
        expect(arrivals).toHaveLength(turns.length);
        // Farther apart than a closed window of any phase, so of any fixed one as well.
        expect(closest(arrivals)).toBeGreaterThan(W);
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  it("lets what nobody waits for through, too, where there is one request in a window, and no more than one", async () => {
    const log = new WindowLog(await open(), W);
    const limiter = new Limiter({ log, limits: { ...LIMITS, delete: 1 } });
    const arrivals: Arrival[] = [];
    const turn: Turn = { group: "delete", key: "k", user: "a", background: true };
    await settled([limiter.run(turn, call(arrivals, turn)), limiter.run(turn, call(arrivals, turn))]);
    const [first, second] = arrivals;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(W);
  });

  it("counts what a killed process had sent, and frees its slots by itself", async () => {
    const killed = limiterOver(await open());
    const turn = videoTurn("k");
    const arrivals: Arrival[] = [];
    const never = Promise.withResolvers<void>().promise;
    for (let i = 0; i < N; i += 1) void killed.run(turn, () => never);
    await vi.advanceTimersByTimeAsync(W / 10);
    const next = limiterOver(database).run(turn, call(arrivals, turn));
    await vi.advanceTimersByTimeAsync(2 * W);
    expect(arrivals).toHaveLength(0);
    await settled([next]);
    expect(arrivals).toHaveLength(1);
  });

  it("uses at least nine tenths of the limit when all is backlogged and answers are quick", async () => {
    const limiter = limiterOver(await open());
    const arrivals: Arrival[] = [];
    const start = Date.now();
    const turns = Array.from({ length: 20 * N }, (_, i) => videoTurn("k", `u${i % 7}`));
    await settled(turns.map((turn) => limiter.run(turn, call(arrivals, turn, W / 100, W / 100))));
    const took = (arrivals.at(-1)?.at ?? 0) - start;
    // The last burst has a window of its own.
    expect(turns.length / N / (took / W + 1)).toBeGreaterThan(0.9);
  });

  it.each([
    ["each with a key", "k1", "k2"],
    ["sharing a key", "k1", "k1"],
  ])("delays one user's request by at most one of another's hundred: %s", async (_, mine, theirs) => {
    const limiter = limiterOver(await open());
    const arrivals: Arrival[] = [];
    const run = (turn: Turn) => limiter.run(turn, call(arrivals, turn));
    const work = Array.from({ length: 100 }, () => run(videoTurn(theirs, "many")));
    await vi.advanceTimersByTimeAsync(2.5 * W);
    const before = arrivals.length;
    await settled([run(videoTurn(mine, "one"))]);
    const position = arrivals.findIndex(({ user }) => user === "one");
    expect(position).toBeGreaterThanOrEqual(before);
    expect(position - before).toBeLessThanOrEqual(1);
    await settled(work);
  });

  it("does not let a key whose window is full keep others waiting", async () => {
    const log = new WindowLog(await open(), W);
    const limiter = new Limiter({ log, limits: LIMITS });
    const arrivals: Arrival[] = [];
    const full = videoTurn("full");
    for (let i = 0; i < N; i += 1) await log.take("video", ["key:full"], N);
    const waiting = limiter.run(full, call(arrivals, full));
    await vi.advanceTimersByTimeAsync(10);
    const other = videoTurn("other");
    await settled([limiter.run(other, call(arrivals, other))]);
    expect(arrivals.map(({ key }) => key)).toEqual(["other"]);
    await settled([waiting]);
  });

  it("keeps groups apart", async () => {
    const limiter = limiterOver(await open());
    const arrivals: Arrival[] = [];
    const work = Array.from({ length: 2 * N }, (_, i) => {
      const turn: Turn = { ...videoTurn("k"), group: i % 2 ? "video" : "status" };
      return limiter.run(turn, call(arrivals, turn));
    });
    await vi.advanceTimersByTimeAsync(W / 10);
    expect(arrivals).toHaveLength(2 * N);
    await settled(work);
  });

  it("lets a waiting turn leave at once, without using a slot", async () => {
    const limiter = limiterOver(await open());
    const arrivals: Arrival[] = [];
    const abort = new AbortController();
    const turn = videoTurn("k");
    const work = Array.from({ length: N }, () => limiter.run(turn, call(arrivals, turn)));
    await settled(work);
    const leaving = [1, 2, 3].map(() => limiter.run({ ...turn, signal: abort.signal }, call(arrivals, turn)));
    const staying = limiter.run(turn, call(arrivals, turn));
    const outcomes = Promise.allSettled(leaving);
    await vi.advanceTimersByTimeAsync(W / 10);
    expect(limiter.waiting).toBe(4);
    abort.abort(new Error("left"));
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(limiter.waiting).toBe(1);
    await settled([staying]);
    expect(arrivals).toHaveLength(N + 1);
    await expect(limiter.run({ ...turn, signal: abort.signal }, call(arrivals, turn))).rejects.toThrow(
      "left",
    );
  });

  it("gives the slot back that came too late", async () => {
    const abort = new AbortController();
    class SlowLog extends WindowLog {
      override async take(...request: Parameters<WindowLog["take"]>) {
        const taken = await super.take(...request);
        abort.abort(new Error("left"));
        return taken;
      }
    }
    const log = new SlowLog(await open(), W);
    const limiter = new Limiter({ log, limits: LIMITS });
    const [outcome] = await settled([
      limiter.run({ ...videoTurn("k"), signal: abort.signal }, () => expect.fail("was sent")),
    ]);
    expect(outcome).toMatchObject({ reason: abort.signal.reason });
    expect(await database.kysely.selectFrom("rate_slots").selectAll().execute()).toEqual([]);
  });

  it("asks for no slot, and listens for nothing, once a waiting turn has left", async () => {
    const log = new WindowLog(await open(), W);
    const limiter = new Limiter({ log, limits: LIMITS });
    const taken = vi.spyOn(log, "take");
    const [first, second] = [Promise.withResolvers<void>(), new AbortController()];
    // The first one is still asking for its slot when the second leaves.
    const sent = limiter.run(videoTurn("k"), () => first.promise);
    const left = limiter.run({ ...videoTurn("k"), signal: second.signal }, () => expect.fail("was sent"));
    second.abort(new Error("left"));
    first.resolve();
    const outcomes = await settled([sent, left]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(getEventListeners(second.signal, "abort")).toEqual([]);
    expect(limiter.waiting).toBe(0);
    await settled([limiter.run(videoTurn("k"), async () => {})]);
    expect(taken).toHaveBeenCalledTimes(2);
  });

  it.each(["egress:default", "key:k"])(
    "asks for a slot of %s no more often than one may be free",
    async (scope) => {
      const log = new WindowLog(await open(), W);
      const limiter = new Limiter({ log, limits: LIMITS });
      for (let i = 0; i < N; i += 1) await log.take("video", [scope], N);
      const taken = vi.spyOn(log, "take");
      await settled([limiter.run(videoTurn("k"), async () => {})]);
      // Nobody answers: the slots expire after three windows, and are looked for after each.
      expect(taken.mock.calls.length).toBeLessThanOrEqual(4);
    },
  );

  it("has written what an answer means to the limits before it hands it over", async () => {
    class SlowLog extends WindowLog {
      written: string[] = [];
      override async release(...slot: Parameters<WindowLog["release"]>) {
        await sleep(5);
        await super.release(...slot);
        this.written.push("release");
      }
      override async block(...block: Parameters<WindowLog["block"]>) {
        await sleep(5);
        await super.block(...block);
        this.written.push(block[1]);
      }
    }
    const log = new SlowLog(await open(), W);
    const limiter = new Limiter({ log, limits: LIMITS });
    const writtenAfter = async (key: string, send: () => Promise<unknown>) => {
      log.written = [];
      const atTheEnd: string[] = [];
      const run = limiter.run(videoTurn(key), send).finally(() => atTheEnd.push(...log.written));
      await settled([run]);
      return atTheEnd;
    };
    expect(await writtenAfter("k1", async () => "made")).toEqual(["release"]);
    expect(await writtenAfter("k1", refuse(900))).toEqual(["release", "key:k1"]);
    expect(await writtenAfter("k2", refuse(900))).toEqual(["release", "key:k2", "egress:default"]);
    expect(await writtenAfter("k3", () => Promise.reject(new Error("another")))).toEqual(["release"]);
  });

  it.each([
    ["as long as it is told", [700], [700]],
    [
      "a quarter of a window, then twice as long each time, up to a window",
      Array(5).fill(undefined),
      [250, 500, 1000, 1000, 1000],
    ],
  ])("waits after a 429 for %s", async (_, asked, expected) => {
    const limiter = limiterOver(await open());
    const turn = videoTurn("k");
    const waits: number[] = [];
    for (const retryAfterMs of asked) {
      let refusedAt = 0;
      await settled([
        limiter.run(turn, async () => {
          refusedAt = Date.now();
          return refuse(retryAfterMs)();
        }),
      ]);
      await settled([limiter.run(turn, async () => waits.push(Date.now() - refusedAt))]);
    }
    for (const [i, wait] of waits.entries()) expect(wait).toBeCloseTo(expected[i] ?? 0, -2);
  });

  it("waits after a 429 that leaves a submission unsure, too", async () => {
    const limiter = limiterOver(await open());
    const turn = videoTurn("k");
    let refusedAt = 0;
    const unsure = limiter.run(turn, async () => {
      refusedAt = Date.now();
      throw new Unsure({ status: 429, retryAfterMs: 700 });
    });
    await settled([unsure]);
    const arrivals: Arrival[] = [];
    await settled([limiter.run(turn, call(arrivals, turn))]);
    expect((arrivals[0]?.at ?? 0) - refusedAt).toBeGreaterThanOrEqual(700);
  });

  it("takes the 429s of requests that were sent together for one", async () => {
    const limiter = limiterOver(await open());
    const turn = videoTurn("k");
    const refused = Promise.allSettled(
      Array.from({ length: N - 1 }, () => limiter.run(turn, refuse(undefined, 100))),
    );
    await vi.advanceTimersByTimeAsync(150);
    const from = Date.now();
    const arrivals: Arrival[] = [];
    await settled([refused, limiter.run(turn, call(arrivals, turn))]);
    expect((arrivals[0]?.at ?? 0) - from).toBeLessThanOrEqual(W / 4);
  });

  it("stops other keys only when a second one meets a 429", async () => {
    const limiter = limiterOver(await open());
    const arrivals: Arrival[] = [];
    const run = (key: string) => limiter.run(videoTurn(key), call(arrivals, videoTurn(key)));
    await settled([limiter.run(videoTurn("k1"), refuse(800))]);
    const free = run("k2");
    await vi.advanceTimersByTimeAsync(W / 10);
    expect(arrivals).toHaveLength(1);
    await settled([limiter.run(videoTurn("k2"), refuse(800))]);
    const blocked = run("k3");
    await vi.advanceTimersByTimeAsync(W / 10);
    expect(arrivals).toHaveLength(1);
    await settled([free, blocked]);
    expect(arrivals).toHaveLength(2);
  });

  it("waits after a 429 that could not be written down at first", async () => {
    const limiter = limiterOver(await open());
    const turn = videoTurn("k");
    await sql`pragma busy_timeout = 0`.execute(database.kysely);
    const other = new DatabaseSync(join(folder, "reelay.db"));
    let refusedAt = 0;
    const refused = limiter.run(turn, async () => {
      other.exec("begin immediate");
      refusedAt = Date.now();
      return refuse(20 * W)();
    });
    expect(await settled([refused])).toMatchObject([{ reason: { code: "rate_limited" } }]);
    // Nothing leaves that could not be counted.
    expect(await settled([limiter.run(turn, () => expect.fail("was sent"))])).toMatchObject([
      { reason: { code: "storage_down" } },
    ]);
    other.exec("rollback");
    other.close();
    const arrivals: Arrival[] = [];
    await settled([limiter.run(turn, call(arrivals, turn))]);
    expect((arrivals[0]?.at ?? 0) - refusedAt).toBeGreaterThanOrEqual(20 * W);
  });

  it("hands over an answer even when the log cannot be written any more", async () => {
    const limiter = limiterOver(await open());
    const answer = limiter.run(videoTurn("k"), async () => {
      await database.close();
      return "paid for";
    });
    expect(await settled([answer])).toEqual([{ status: "fulfilled", value: "paid for" }]);
  });
});
