import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Sleeper } from "../../src/common/sleeper.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether a sleep has ended by now. */
async function hasEnded(sleep: Promise<void>): Promise<boolean> {
  let ended = false;
  void sleep.then(() => (ended = true));
  await vi.advanceTimersByTimeAsync(0);
  return ended;
}

it("sleeps as long as it is told", async () => {
  const sleep = new Sleeper().sleep(1_000);
  await vi.advanceTimersByTimeAsync(999);
  expect(await hasEnded(sleep)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await hasEnded(sleep)).toBe(true);
});

it("is woken at once, once for each time, and leaves no timer behind", async () => {
  const sleeper = new Sleeper();
  const sleep = sleeper.sleep(1_000);
  sleeper.wake();
  sleeper.wake();
  expect(await hasEnded(sleep)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  expect(await hasEnded(sleeper.sleep(1_000))).toBe(false);
});

it("does not fall asleep where it was woken before, and then does again", async () => {
  const sleeper = new Sleeper();
  sleeper.wake();
  expect(await hasEnded(sleeper.sleep(1_000))).toBe(true);
  expect(await hasEnded(sleeper.sleep(1_000))).toBe(false);
});
