import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { RateLimit } from "../../src/common/rate-limit.ts";

/** A limit with a clock that is set by hand. */
function harness(start = 1_000_000_000_000) {
  let now = start;
  const limit = new RateLimit("partner", () => now);
  return {
    limit,
    pass: (ms: number) => (now += ms),
    get now() {
      return now;
    },
  };
}

afterEach(() => void vi.useRealTimers());

describe("a caller's rate", () => {
  it("tells what is left, and when more will be", () => {
    const { limit, pass } = harness();
    expect(limit.take("acme", 2)).toEqual({
      refusedForMs: undefined,
      headers: { "RateLimit-Policy": '"partner";q=2;w=60', RateLimit: '"partner";r=1;t=61' },
    });
    pass(20_500);
    expect(limit.take("acme", 2).headers["RateLimit"]).toBe('"partner";r=0;t=41');
    expect(limit.take("acme", 2)).toEqual({
      refusedForMs: 40_500,
      headers: {
        "RateLimit-Policy": '"partner";q=2;w=60',
        RateLimit: '"partner";r=0;t=41',
        "Retry-After": "41",
      },
    });
    pass(40_499);
    expect(limit.take("acme", 2).refusedForMs).toBe(1);
    pass(1);
    expect(limit.take("acme", 2).refusedForMs).toBeUndefined();
    expect(limit.take("acme", 2).refusedForMs).toBe(20_000);
  });

  it("is each partner's own", () => {
    const { limit } = harness();
    limit.take("acme", 1);
    expect(limit.take("acme", 1).refusedForMs).toBeDefined();
    expect(limit.take("other", 1).refusedForMs).toBeUndefined();
  });

  it("may be lowered while it is used up", () => {
    const { limit } = harness();
    for (let n = 0; n < 5; n++) limit.take("acme", 10);
    expect(limit.take("acme", 3).headers["RateLimit"]).toBe('"partner";r=0;t=61');
  });

  it("lasts no longer where the machine's clock is set back", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const limit = new RateLimit("partner");
    limit.take("acme", 1);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(limit.take("acme", 1).refusedForMs).toBeLessThanOrEqual(61_000);
    vi.advanceTimersByTime(61_000);
    expect(limit.take("acme", 1).refusedForMs).toBeUndefined();
  });

  it("never lets more through than it says in any minute, and always lets somebody through who waited", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 5, maxLength: 60 }),
        (quota, pauses) => {
          const at = harness();
          const through: number[] = [];
          const waits: number[] = [];
          for (const pause of pauses) {
            at.pass(pause);
            for (let wait = at.limit.take("acme", quota).refusedForMs; wait !== undefined;) {
              waits.push(wait);
              at.pass(wait);
              wait = at.limit.take("acme", quota).refusedForMs;
            }
            through.push(at.now);
          }
          expect(waits.every((wait) => wait > 0 && wait <= 61_000)).toBe(true);
          // Who waited as long as they were told need not wait again.
          expect(waits.length).toBeLessThanOrEqual(pauses.length);
          for (const end of through)
            expect(through.filter((one) => one > end - 60_000 && one <= end).length).toBeLessThanOrEqual(
              quota,
            );
        },
      ),
    );
  });
});
