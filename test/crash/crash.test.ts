import { array, constant, integer, oneof, record, sample } from "fast-check";
import { describe, expect, it } from "vitest";
import type { TracePoint } from "../../src/domain/jobs/trace.ts";
import type { FaultRequest } from "../support/sandbox.ts";
import { type Life, usage, trial } from "./trial.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/** Lives in which nothing new is asked for: what the last one left is taken up, and dropped again. */
const recoveries = (...points: TracePoint[]): Life[] => points.map((point) => ({ asks: 0, kill: { point } }));

const onPost = { match: { method: "POST", path: "/api/generate" } } as const;

/** Each run tries other instants; CRASH_SEED repeats those of a run that failed. */
const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 2 ** 31);
const randomLife = record({
  asks: integer({ min: 1, max: 3 }),
  kill: oneof(
    {
      weight: 3,
      arbitrary: record({ after: constant("asking" as const), ms: integer({ min: 0, max: 900 }) }),
    },
    {
      weight: 1,
      arbitrary: record({ after: constant("start" as const), ms: integer({ min: 300, max: 2000 }) }),
    },
  ),
});
const randomTrials = sample(array(randomLife, { minLength: 4, maxLength: 4 }), { seed, numRuns: 2 });

const slow = { timeout: 3 * PATIENCE_MS };

describe("killed at any instant, it delivers every accepted job and charges none twice", slow, () => {
  describe.concurrent("at a named point", () => {
    const points = [
      "queued",
      "submitting",
      "post",
      "posted",
      "running",
      "completed",
      "deliver",
      "delivered",
    ] as const;
    it.each(points)("%s, of one of several jobs", async (point) => {
      const lives = [
        { asks: 3, kill: { point } },
        { asks: 2, kill: { point, nth: 2 } },
      ];
      expect(await trial(lives)).toEqual([]);
    });

    it("failed, and while that is told", async () => {
      const lives = [{ asks: 2, kill: { point: "failed" } } as const, ...recoveries("deliver", "delivered")];
      expect(await trial(lives, { failRate: 1, outcome: "problem" })).toEqual([]);
    });
  });

  describe.concurrent("after an answer was lost", () => {
    const faults: [string, FaultRequest, Life[]][] = [
      ["by a reset after it was accepted", { kind: "reset-after" }, recoveries("running")],
      ["by a reset before it was accepted", { kind: "reset-before" }, recoveries("queued")],
      ["in an HTML page, though accepted", { kind: "html", accepted: true }, recoveries("completed")],
      ["in an HTML page, not accepted", { kind: "html", accepted: false }, recoveries("submitting")],
      ["in the middle", { kind: "truncated" }, recoveries("unsure", "running")],
    ];
    it.each(faults)("%s", async (_name, fault, next) => {
      const first: Life = { asks: 2, kill: { point: "unsure" }, faults: [{ ...fault, ...onPost }] };
      expect(await trial([first, ...next])).toEqual([]);
    });

    it.each([true, false])("by waiting for it, accepted: %s", async (accepted) => {
      const faults = [{ ...onPost, kind: "hang", accepted }];
      expect(await trial([{ asks: 2, kill: { point: "post", laterMs: 250 }, faults }])).toEqual([]);
    });

    it("to one of several that only their photos tell apart", async () => {
      // Were they sent side by side, no answer would come to any of them, and nobody could tell them apart.
      const faults = [{ ...onPost, kind: "hang", accepted: true, times: 3 }];
      const first = { asks: 3, kill: { point: "post", laterMs: 700 }, faults } as const;
      expect(await trial([first, ...recoveries("running")], { sameWords: true })).toEqual([]);
    });
  });

  describe.concurrent("again and again while it recovers", () => {
    const chains: TracePoint[][] = [
      ["post", "unsure", "queued", "submitting", "running"],
      ["posted", "unsure", "running", "completed", "delivered"],
    ];
    it.each(chains.map((chain) => [chain.join(", "), chain] as const))("%s", async (_name, chain) => {
      const lives = chain.map((point, nth) => ({ asks: nth === 0 ? 2 : 0, kill: { point } }));
      expect(await trial(lives)).toEqual([]);
    });

    it("from a refusal that means to wait", async () => {
      const kill = { point: "queued", nth: 3 } as const;
      const faults = [{ ...onPost, kind: "slot429" }];
      const lives = [2, 1].map((asks) => ({ asks, kill, faults }));
      expect(await trial(lives)).toEqual([]);
    });
  });

  describe.concurrent("while jobs go from a key that the service refuses to another one", () => {
    const refuses = { kind: "401", match: { path: "/api/generate", account: "ultra" }, times: 1_000 };
    const kills = [
      { point: "queued", nth: 3 },
      { point: "submitting", nth: 2 },
      { point: "post", nth: 2 },
      { point: "posted" },
    ] as const;
    it.each(kills.map((kill) => [`${kill.point} ${"nth" in kill ? kill.nth : 1}`, kill] as const))(
      "at %s, with the old one accepted again or not",
      async (_name, kill) => {
        const lives = [
          { asks: 2, kill, faults: [refuses] },
          { asks: 1, kill: { point: "posted" }, faults: [refuses] },
        ] as const;
        expect(await trial(lives, { otherKey: true })).toEqual([]);
      },
    );

    it.each([true, false])("and an answer under the new one is lost, accepted: %s", async (accepted) => {
      const lost = { kind: accepted ? "reset-after" : "reset-before" };
      const faults = [refuses, { ...lost, match: { path: "/api/generate", account: "pro" } }];
      const first = { asks: 2, kill: { point: "unsure" }, faults } as const;
      expect(await trial([first, ...recoveries("running")], { otherKey: true })).toEqual([]);
    });
  });

  describe.concurrent(`at random instants (seed ${seed})`, () => {
    it.each(randomTrials.map((lives, index) => [index, lives] as const))("%i", async (_index, lives) => {
      expect(await trial(lives)).toEqual([]);
    });
  });

  it("which was tried at least 40 times, with jobs that were accepted", () => {
    expect(usage.killed).toBeGreaterThanOrEqual(40);
    expect(usage.accepted).toBeGreaterThanOrEqual(30);
  });
});
