import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RATE_LIMITS } from "../../../src/common/contract.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { sleep } from "../../../src/common/time.ts";
import { Limiter, type Turn } from "../../../src/infrastructure/queue/limiter.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { settled, W } from "./arrivals.ts";

const N = 5;
const LIMITS = { ...RATE_LIMITS, video: N, status: N };

/** A request as the service saw it. */
interface Seen {
  readonly at: number;
  readonly key: string;
  readonly egress: string;
}

/** The least distance between a request and the one `N` before it that counts towards the same. */
function closest(seen: readonly Seen[], scope: "key" | "egress"): number {
  const all = Object.values(Object.groupBy(seen, (one) => one[scope])) as (readonly Seen[])[];
  return Math.min(...all.flatMap((some) => some.slice(N).map(({ at }, i) => at - (some[i]?.at ?? 0))));
}

const turnOf = (key: string, different: Partial<Turn> = {}): Turn => ({
  group: "video",
  key,
  user: key,
  ...different,
});

const refused = (retryAfterMs: number) => Object.assign(new ReelayError("rate_limited"), { retryAfterMs });

describe("several addresses to leave by", () => {
  let database: Database;
  let log: WindowLog;
  let seen: Seen[];
  let away: Set<string>;
  beforeEach(async () => {
    vi.useFakeTimers();
    // Time passes here by steps, and no disk keeps up with them.
    database = await openDatabase(join(temporaryFolder(), "reelay.db"), async () => {});
    log = new WindowLog(database, W);
    [seen, away] = [[], new Set()];
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.close();
  });

  const limiterBy = (...egresses: readonly string[]) =>
    new Limiter({ log, limits: LIMITS, egresses, isAway: (name) => away.has(name) });

  /** A call that reaches the service after `up` and answers after `down` more. */
  const call =
    ({ key }: Turn, up = 0, down = 0) =>
    async (egress: string) => {
      await sleep(up);
      seen.push({ at: Date.now(), key, egress });
      await sleep(down);
    };

  const sendBy = (limiter: Limiter, turn: Turn) => limiter.run(turn, call(turn));

  /** How many left by each address. */
  const byEgress = () =>
    Object.fromEntries(
      Object.entries(Object.groupBy(seen, ({ egress }) => egress)).map(([name, all = []]) => [
        name,
        all.length,
      ]),
    );

  it("carry as much again each, as long as there are keys for it", async () => {
    const limiter = limiterBy("a", "b");
    const work = ["k1", "k2"].flatMap((key) =>
      Array.from({ length: 2 * N }, () => sendBy(limiter, turnOf(key))),
    );
    await vi.advanceTimersByTimeAsync(W / 2);
    expect(byEgress()).toEqual({ a: N, b: N });
    await settled(work);
    expect(byEgress()).toEqual({ a: 2 * N, b: 2 * N });
    expect(closest(seen, "egress")).toBeGreaterThan(W);
    expect(closest(seen, "key")).toBeGreaterThan(W);
  });

  it("do not raise what a key may send", async () => {
    const limiter = limiterBy("a", "b", "c");
    const work = Array.from({ length: 2 * N }, () => sendBy(limiter, turnOf("k")));
    await vi.advanceTimersByTimeAsync(W / 2);
    expect(seen).toHaveLength(N);
    await settled(work);
    expect(closest(seen, "key")).toBeGreaterThan(W);
  });

  const some = fc.record({
    start: fc.nat(3 * W),
    up: fc.nat(W / 4),
    down: fc.nat(W / 4),
    key: fc.constantFrom("k1", "k1", "k2", "k3"),
    user: fc.constantFrom("a", "b", "c"),
    background: fc.boolean(),
    limiter: fc.nat(1),
  });

  it("never have a window of any phase hold more than the limit, also where two nodes share one of them", async () => {
    const property = fc.asyncProperty(
      fc.array(some, { minLength: 4 * N, maxLength: 12 * N }),
      async (turns) => {
        database = await openDatabase(join(temporaryFolder(), "reelay.db"), async () => {});
        [log, seen] = [new WindowLog(database, W), []];
        const limiters = [limiterBy("a", "b"), limiterBy("b", "c")];
        const work = turns.map(async ({ start, up, down, limiter, ...rest }) => {
          await sleep(start);
          const turn = { group: "video", ...rest } as const;
          await limiters[limiter]?.run(turn, call(turn, up, down));
        });
        await settled(work);
        await database.close();
        expect(seen).toHaveLength(turns.length);
        expect(closest(seen, "egress")).toBeGreaterThan(W);
        expect(closest(seen, "key")).toBeGreaterThan(W);
      },
    );
    await fc.assert(property, { numRuns: 15 });
  });

  it("are asked for a place where one is likely, and no more often than one may be free", async () => {
    for (let i = 0; i < N; i += 1) await log.take("video", ["egress:a"], N);
    const limiter = limiterBy("a", "b");
    const taken = vi.spyOn(log, "take");
    const asked = () => taken.mock.calls.splice(0).map(([, scopes]) => scopes[1]);
    await settled([sendBy(limiter, turnOf("k1"))]);
    expect(asked(), "nobody knows that it is full").toEqual(["egress:a", "egress:b"]);
    await settled([sendBy(limiter, turnOf("k1")), sendBy(limiter, turnOf("k2"))]);
    expect(asked()).toEqual(["egress:b", "egress:b"]);
    expect(byEgress()).toEqual({ b: 3 });
  });

  it("are left by in turn", async () => {
    const limiter = limiterBy("a", "b", "c");
    for (const key of ["k1", "k2", "k3", "k4"]) await settled([sendBy(limiter, turnOf(key))]);
    expect(seen.map(({ egress }) => egress)).toEqual(["a", "b", "c", "a"]);
  });

  it("do not stand still for a 429 that another one met", async () => {
    const limiter = limiterBy("a", "b");
    const meets429 = async (turn: Turn) => {
      const sent = limiter.run(turn, async (egress) => {
        if (egress === "a") throw refused(20 * W);
        return call(turn)(egress);
      });
      await settled([sent]);
    };
    for (const key of ["k1", "k2", "k3", "k4"]) await meets429(turnOf(key));
    // Two keys met one there: it is the address's.
    expect(byEgress()).toEqual({ b: 2 });
    const work = ["k5", "k6", "k7"].map((key) => sendBy(limiter, turnOf(key)));
    await vi.advanceTimersByTimeAsync(W / 2);
    expect(byEgress()).toEqual({ b: 5 });
    await settled(work);
  });

  it("are passed over while they cannot be left by, and tried by what nobody waits for, once a window", async () => {
    const limiter = limiterBy("a", "b");
    away.add("a");
    await settled(["k1", "k2"].map((key) => sendBy(limiter, turnOf(key))));
    expect(byEgress()).toEqual({ b: 2 });
    const background = () => {
      const turn = turnOf("k3", { group: "status", background: true });
      return settled([sendBy(limiter, turn)]);
    };
    await background();
    expect(byEgress()).toEqual({ b: 3 });
    await vi.advanceTimersByTimeAsync(W);
    seen = [];
    // People do not find out for others.
    await settled([sendBy(limiter, turnOf("k4")), sendBy(limiter, turnOf("k5"))]);
    expect(byEgress()).toEqual({ b: 2 });
    for (let i = 0; i < 3; i += 1) await background();
    expect(byEgress()).toEqual({ a: 1, b: 4 });
    away.clear();
    seen = [];
    await settled([sendBy(limiter, turnOf("k6")), sendBy(limiter, turnOf("k7"))]);
    expect(byEgress()).toEqual({ a: 1, b: 1 });
  });

  it("are all left by where none of them can be, as it is not they that fail", async () => {
    const limiter = limiterBy("a", "b");
    away.add("a").add("b");
    await settled(["k1", "k2"].map((key) => sendBy(limiter, turnOf(key))));
    expect(byEgress()).toEqual({ a: 1, b: 1 });
  });
});
