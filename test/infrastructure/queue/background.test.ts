import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RATE_LIMITS } from "../../../src/common/contract.ts";
import { backgroundLimit, Limiter, type Turn } from "../../../src/infrastructure/queue/limiter.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import { openDatabase, type Database } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { type Arrival, call, settled, W } from "./arrivals.ts";

const N = 5;
const LIMITS = { ...RATE_LIMITS, video: N };

describe("what nobody waits for", () => {
  let database: Database;
  beforeEach(async () => {
    vi.useFakeTimers();
    // Time passes here by steps, and no disk keeps up with them.
    database = await openDatabase(join(temporaryFolder(), "reelay.db"), async () => {});
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.close();
  });

  it("leaves room for people beside the background, and lets them go first", async () => {
    const limiter = new Limiter({ log: new WindowLog(database, W), limits: LIMITS });
    const arrivals: Arrival[] = [];
    const run = (user: string, background: boolean) => {
      const turn: Turn = { group: "video", key: "k", user, background };
      return limiter.run(turn, call(arrivals, turn));
    };
    const background = Array.from({ length: 3 * N }, () => run("poller", true));
    await vi.advanceTimersByTimeAsync(W / 10);
    expect(arrivals).toHaveLength(N - 1);
    const people = [run("a", false), run("a", false)];
    await vi.advanceTimersByTimeAsync(W / 10);
    expect(arrivals.slice(N - 1).map(({ user }) => user)).toEqual(["a"]);
    await settled(people);
    expect(arrivals[N]?.user).toBe("a");
    await settled(background);
  });

  it("leaves the background what people do not use, and people room for as much again as they do", async () => {
    const log = new WindowLog(database, W);
    const limiter = new Limiter({ log, limits: { ...LIMITS, status: 20 } });
    const arrivals: Arrival[] = [];
    const stop = new AbortController();
    const send = (user: string, background: boolean, count: number) => {
      const turn: Turn = { group: "status", key: "k", user, background, signal: stop.signal };
      return Array.from({ length: count }, () => limiter.run(turn, call(arrivals, turn)).catch(() => {}));
    };
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 1) await vi.advanceTimersByTimeAsync(1);
      return arrivals.splice(0).map(({ user }) => user);
    };
    const people = send("a", false, 3);
    expect(await pass(W / 10)).toHaveLength(3);
    const background = send("poller", true, 100);
    expect(await pass(W / 4)).toHaveLength(20 - 3 - 3);
    // Those who come to a window that the background has filled do not wait.
    people.push(...send("a", false, 3));
    expect(await pass(W / 10)).toEqual(["a", "a", "a"]);
    await pass(3 * W);
    expect(await pass(W + 1)).toHaveLength(19);
    stop.abort();
    await settled([...people, ...background]);
  });

  it("never leaves people less than a twentieth, nor the background less than four fifths", () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 1000 }), fc.nat(2000), (limit, ofPeople) => {
        const left = limit - backgroundLimit(limit, ofPeople);
        expect(left).toBeGreaterThanOrEqual(limit / 20);
        expect(left).toBeLessThan(limit / 5 + 1);
        expect(left).toBeGreaterThanOrEqual(limit - backgroundLimit(limit, Math.max(0, ofPeople - 1)));
      }),
    );
  });
});
