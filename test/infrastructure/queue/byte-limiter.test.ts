import { setTimeout } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteLimiter } from "../../../src/infrastructure/queue/byte-limiter.ts";

const LIMITS = { all: 100, each: 60 };

/** A task that runs until it is told to end. */
function task() {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const held = { isRunning: false, end };
  const run = async () => {
    held.isRunning = true;
    await promise;
    held.isRunning = false;
  };
  return { held, run };
}

/** Lets whatever can begin begin: each of two limiters begins it by a timer, behind whose own others come. */
const settle = async () => {
  for (let turn = 0; turn < 12; turn++) await setTimeout();
};

describe("tasks that hold bytes", () => {
  it("run side by side as far as they fit, and end however large they are and in whatever order they end", async () => {
    const given = fc.array(fc.record({ holder: fc.constantFrom("ann", "ben", "cid"), bytes: fc.nat(200) }), {
      maxLength: 24,
    });
    await fc.assert(
      fc.asyncProperty(given, fc.infiniteStream(fc.nat()), async (wanted, draws) => {
        const limiter = new ByteLimiter(LIMITS);
        const tasks = wanted.map((one) => ({ ...one, counted: Math.min(one.bytes, LIMITS.each), ...task() }));
        const ends = tasks.map(({ holder, bytes, run }) => limiter.run(holder, bytes, run));
        for (let left = tasks.length; left > 0; left--) {
          await expect.poll(() => tasks.some(({ held }) => held.isRunning), { interval: 1 }).toBe(true);
          const running = tasks.filter(({ held }) => held.isRunning);
          const sum = (some: typeof tasks) => some.reduce((bytes, { counted }) => bytes + counted, 0);
          expect(sum(running)).toBeLessThanOrEqual(LIMITS.all);
          for (const name of ["ann", "ben", "cid"])
            expect(sum(running.filter(({ holder }) => holder === name))).toBeLessThanOrEqual(LIMITS.each);
          running[draws.next().value % running.length]?.held.end();
          await setTimeout();
        }
        await Promise.all(ends);
      }),
      { numRuns: 60 },
    );
  });

  it("leave room for others while all of one holder's hang", async () => {
    const limiter = new ByteLimiter(LIMITS);
    const hanging = Array.from({ length: 30 }, task);
    for (const { run } of hanging) void limiter.run("ann", 30, run);
    await expect.poll(() => hanging.filter(({ held }) => held.isRunning)).toHaveLength(2);
    expect(await limiter.run("ben", 40, async () => "done")).toBe("done");
  });

  it("are not overtaken by a holder's later ones", async () => {
    const limiter = new ByteLimiter(LIMITS);
    const [first, large, small] = [task(), task(), task()];
    void limiter.run("ann", 30, first.run);
    void limiter.run("ann", 60, large.run);
    void limiter.run("ann", 1, small.run);
    await expect.poll(() => first.held.isRunning).toBe(true);
    await settle();
    expect([large, small].map(({ held }) => held.isRunning)).toEqual([false, false]);
    first.held.end();
    await expect.poll(() => large.held.isRunning).toBe(true);
    await settle();
    expect(small.held.isRunning).toBe(false);
  });

  it("give what failed its error, and room to the next", async () => {
    const limiter = new ByteLimiter(LIMITS);
    await expect(limiter.run("ann", 60, () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    expect(await limiter.run("ann", 60, async () => "done")).toBe("done");
  });
});
