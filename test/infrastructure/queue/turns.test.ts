import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ByteLimiter } from "../../../src/infrastructure/queue/byte-limiter.ts";
import { Turns } from "../../../src/infrastructure/queue/turns.ts";

describe("while the machine's clock is set back", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    [
      "turns",
      () => {
        const turns = new Turns(1);
        return <T>(task: () => Promise<T>) => turns.run(task);
      },
    ],
    [
      "tasks that hold bytes",
      () => {
        const limiter = new ByteLimiter({ all: 10, each: 5 });
        return <T>(task: () => Promise<T>) => limiter.run("ann", 5, task);
      },
    ],
  ])("%s come as ever", async (_, open) => {
    const run = open();
    expect(await run(async () => "before")).toBe("before");
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(await run(async () => "after")).toBe("after");
  });
});

/** Starts tasks of these sizes that end when they are told to; tells which run. */
function begin(turns: Turns, sizes: readonly number[]) {
  const running = new Set<number>();
  const ends = sizes.map((size, nth) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const task = async () => {
      running.add(nth);
      await promise;
      running.delete(nth);
    };
    const run = turns.run(task, size);
    return () => (resolve(), run);
  });
  return { ends, running: () => [...running].toSorted((a, b) => a - b) };
}

describe("turns", () => {
  it("begin at once where there is room, also with what was begun so beside what waits", async () => {
    const { ends, running } = begin(new Turns(3), [1, 1, 2, 1, 3]);
    // Not a moment later: nothing is asked of the queue.
    expect(running()).toEqual([0, 1]);
    await ends[0]?.();
    await expect.poll(running).toEqual([1, 2]);
    await ends[1]?.();
    await expect.poll(running).toEqual([2, 3]);
    await ends[2]?.();
    expect(running()).toEqual([3]);
    await ends[3]?.();
    await expect.poll(running).toEqual([4]);
    await ends[4]?.();
    expect(running()).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5])(
    "never have more inside than there is room, and nobody overtaken: seed %i",
    async (seed) => {
      let state = seed;
      const random = (below: number) => (state = (state * 16_807) % 2_147_483_647) % below;
      const turns = new Turns(5);
      const began: number[] = [];
      let [inside, most] = [0, 0];
      let asking = 0;
      const all = Array.from({ length: 300 }, async () => {
        for (let ticks = random(400); ticks > 0; ticks--) await Promise.resolve();
        if (random(20) === 0) await new Promise((resolve) => setTimeout(resolve, random(5)));
        const size = 1 + random(5);
        const asked = asking++;
        const run = turns.run(async () => {
          began.push(asked);
          inside += size;
          most = Math.max(most, inside);
          for (let ticks = random(50); ticks > 0; ticks--) await Promise.resolve();
          if (random(10) === 0) await new Promise((resolve) => setTimeout(resolve, random(3)));
          inside -= size;
          if (random(10) === 0) throw new Error("failed");
        }, size);
        await run.catch(() => undefined);
      });
      await Promise.all(all);
      expect(most).toBeLessThanOrEqual(5);
      expect(inside).toBe(0);
      expect(began).toEqual(began.toSorted((a, b) => a - b));
      expect(began).toHaveLength(300);
    },
  );
});
