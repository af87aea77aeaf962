import { vi } from "vitest";
import type { Turn } from "../../../src/infrastructure/queue/limiter.ts";
import { sleep } from "../../../src/common/time.ts";

/** The window of the limits, in milliseconds. */
export const W = 1000;

/** A request as the service saw it. */
export interface Arrival {
  readonly at: number;
  readonly user: string;
  readonly key: string;
}

/** A call that reaches the service after `up` and answers after `down` more. */
export const call =
  (arrivals: Arrival[], { user, key }: Turn, up = 0, down = 0) =>
  async () => {
    await sleep(up);
    arrivals.push({ at: Date.now(), user, key });
    await sleep(down);
  };

/**
 * Lets time pass until everything has settled. However many steps that takes: what works with a real file takes as many
 * as the machine likes. What never settles meets the test's time limit, and real timers after it end this.
 */
export async function settled(work: readonly Promise<unknown>[]) {
  const all = { done: false };
  const outcomes = Promise.allSettled(work).finally(() => (all.done = true));
  while (!all.done) await vi.advanceTimersByTimeAsync(W / 5);
  return outcomes;
}
