import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NowFeed } from "../../../src/domain/operators/now-feed.ts";
import type { Now } from "../../../src/seam/access/console.ts";
import { sleep } from "../../../src/common/time.ts";

const NOTHING: Now = {
  at: 0,
  kinds: [],
  people: [],
  morePeople: 0,
  running: [],
  limits: [],
  alerts: null,
  health: {
    storage: true,
    silentMs: null,
    webhooks: { due: 0, oldestMs: 0, givenUp: 0 },
    platforms: [],
    nodes: [],
  },
};

const nothing = () => {};

describe("what is going on", () => {
  let looks = 0;
  /** How long a look takes, in milliseconds. */
  let takes = 0;
  let failing = false;
  const errors: unknown[] = [];
  const feed = () =>
    new NowFeed(
      async () => {
        looks++;
        await sleep(takes);
        if (failing) throw new Error("nothing can be read");
        return { ...NOTHING, at: looks };
      },
      { error: (...said: unknown[]) => void errors.push(said) },
    );
  beforeEach(() => {
    vi.useFakeTimers();
    [looks, takes, failing] = [0, 0, false];
    errors.length = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is looked at once a second for however many look", async () => {
    const now = feed();
    const heard: string[][] = [[], [], []];
    const stops = heard.map((list) => now.follow((json) => void list.push(json)));
    await vi.advanceTimersByTimeAsync(5_500);
    expect(looks).toBe(6);
    for (const list of heard)
      expect(list.map((json) => (JSON.parse(json) as Now).at)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const stop of stops) stop();
  });

  it("is not looked at while nobody does", async () => {
    const now = feed();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looks).toBe(0);
    const stop = now.follow(nothing);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(looks).toBe(3);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is told at once to who comes later, and never what was seen by others who left", async () => {
    const now = feed();
    const leave = now.follow(nothing);
    await vi.advanceTimersByTimeAsync(100);
    const heard: string[] = [];
    const stop = now.follow((json) => void heard.push(json));
    expect(heard).toHaveLength(1);
    leave();
    stop();
    const anew: string[] = [];
    const end = now.follow((json) => void anew.push(json));
    expect(anew).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(anew).toHaveLength(1);
    end();
  });

  it("takes a fiftieth of the time at most, up to a bound on how old it is", async () => {
    const now = feed();
    takes = 100;
    const stop = now.follow(nothing);
    await vi.advanceTimersByTimeAsync(100 + 4_900);
    expect(looks).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(looks).toBe(2);
    stop();
    takes = 1_000;
    const end = now.follow(nothing);
    await vi.advanceTimersByTimeAsync(11_500);
    expect(looks).toBeGreaterThanOrEqual(3);
    end();
  });

  it("goes on after a look that failed", async () => {
    const now = feed();
    failing = true;
    const heard: string[] = [];
    const stop = now.follow((json) => void heard.push(json));
    await vi.advanceTimersByTimeAsync(500);
    expect(errors).toHaveLength(1);
    failing = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heard).toHaveLength(1);
    stop();
  });
});
