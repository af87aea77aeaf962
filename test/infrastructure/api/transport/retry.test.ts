import { describe, expect, it } from "vitest";
import {
  BadRequest,
  Network,
  RateLimited,
  Unsure,
} from "../../../../src/infrastructure/api/transport/errors.ts";
import { retryAfterMs, retrying } from "../../../../src/infrastructure/api/transport/retry.ts";

describe("retryAfterMs", () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);

  it.each([
    ["7", 7000],
    ["0", 0],
    ["Thu, 01 Jan 2026 12:00:30 GMT", 30_000],
    ["Thu, 01 Jan 2026 11:00:00 GMT", 0],
    ["soon", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("reads %j as %j", (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});

/** Fails so many times with the same error, then answers; tells how it waited. */
async function run(error: Error, failures: number) {
  const waits: number[] = [];
  let tries = 0;
  const pause = async (ms: number) => {
    waits.push(ms);
  };
  const attempt = async (number: number) => {
    tries = number;
    if (number <= failures) throw error;
    return "done";
  };
  try {
    const outcome: unknown = await retrying(attempt, { pause, firstWaitMs: 100 }, undefined);
    return { outcome, waits, tries };
  } catch (outcome) {
    return { outcome, waits, tries };
  }
}

describe("retrying", () => {
  it("waits longer each time, jittered, and gives up after four tries", async () => {
    const { outcome, waits, tries } = await run(new Network(), 9);
    expect(outcome).toBeInstanceOf(Network);
    expect(tries).toBe(4);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(50 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(150 * 2 ** index);
    }
  });

  it("never waits shorter than the service asked", async () => {
    const { outcome, waits } = await run(new RateLimited({ retryAfterMs: 2000 }), 2);
    expect(outcome).toBe("done");
    expect(waits.every((wait) => wait >= 2000)).toBe(true);
  });

  it("hands the error on where the service asks for more than a window", async () => {
    const error = new RateLimited({ retryAfterMs: 3_600_000 });
    expect(await run(error, 1)).toMatchObject({ outcome: error, tries: 1, waits: [] });
  });

  it.each([new BadRequest(), new Unsure(), new TypeError("a mistake of ours")])(
    "does not repeat what no repetition helps: %s",
    async (error) => {
      expect(await run(error, 1)).toMatchObject({ outcome: error, tries: 1 });
    },
  );

  it("stops waiting when its signal fires", async () => {
    const stop = new AbortController();
    const failing = retrying(() => Promise.reject(new Network()), { firstWaitMs: 60_000 }, stop.signal);
    stop.abort();
    await expect(failing).rejects.toMatchObject({ name: "AbortError" });
  });
});
