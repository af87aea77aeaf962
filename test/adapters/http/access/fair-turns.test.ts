import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FairTurns } from "../../../../adapters/http/access/fair-turns.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate"] }));
afterEach(() => vi.useRealTimers());

const MOST = 4;
const TOGETHER = 2;
const SLOW_MS = 500;

function harness() {
  const turns = new FairTurns({ most: MOST, together: TOGETHER, slowMs: SLOW_MS });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    turns,
    /** Whose work began, in order. */
    begun,
    ask: (caller: string, times = 1): Promise<unknown> =>
      Promise.all(
        Array.from({ length: times }, () =>
          turns.run(caller, () => {
            begun.push(caller);
            const { promise, resolve } = Promise.withResolvers<void>();
            ends.push(resolve);
            return promise;
          }),
        ),
      ),
    /** Ends the work that began first of what goes on. */
    end: async () => {
      ends.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
    },
    passing: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

describe("turns of partners", () => {
  it("go round: one partner's 500 delay another's first by no more than a turn", async () => {
    const { ask, begun, end, passing } = harness();
    void ask("crowd", 500);
    await passing(10);
    expect(begun).toHaveLength(MOST);
    void ask("single");
    void ask("pair", 2);
    for (let turn = 0; turn < 5; turn += 1) await end();
    expect(begun.slice(MOST)).toEqual(["crowd", "single", "pair", "crowd", "pair"]);
  });

  it("are so many at once, and all come", async () => {
    const { ask, begun, end, passing } = harness();
    const all = [ask("a", 20), ask("b", 20)];
    for (let done = 0; done < 40; done += 1) {
      await passing(10);
      expect(begun).toHaveLength(Math.min(40, done + MOST));
      await end();
    }
    await Promise.all(all);
  });

  it("begin a few at a time, with room for everything else in between", async () => {
    const { ask, begun } = harness();
    void ask("a", MOST);
    expect(begun).toEqual([]);
    vi.advanceTimersToNextTimer();
    await Promise.resolve();
    expect(begun).toHaveLength(TOGETHER);
  });

  it("give their place to the next where somebody outside is waited for", async () => {
    const { ask, begun, end, passing } = harness();
    void ask("slow", MOST + 1);
    await passing(10);
    void ask("quick");
    await passing(SLOW_MS - 20);
    expect(begun).toHaveLength(MOST);
    await passing(20);
    expect(begun.slice(MOST)).toEqual(["slow", "quick"]);
    // Whoever gave a place back has none to give when they are done.
    void ask("others", MOST);
    await passing(10);
    expect(begun.slice(MOST + 2)).toHaveLength(MOST - 2);
    for (let done = 0; done < MOST; done += 1) await end();
    expect(begun.slice(MOST + 2)).toHaveLength(MOST - 2);
  });

  it("end where the work fails", async () => {
    const { turns, passing } = harness();
    const failures = Array.from({ length: 2 * MOST }, () =>
      turns.run("a", async () => {
        throw new Error("No.");
      }),
    );
    const settled = Promise.allSettled(failures);
    await passing(10);
    expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(["rejected"]));
  });
});
