import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Latest } from "../../../src/domain/accounts/latest.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

it("is known for so long, and not beyond", () => {
  const latest = new Latest<number>();
  latest.note("key", 7);
  vi.advanceTimersByTime(999);
  expect([latest.known("key", 1_000), latest.known("other", 1_000)]).toEqual([7, undefined]);
  vi.advanceTimersByTime(1);
  expect(latest.known("key", 1_000)).toBeUndefined();
});

it("is not known any more where the clock was set back since, and from then on as ever", () => {
  const latest = new Latest<number>();
  latest.note("key", 7);
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(latest.known("key", 1_000)).toBeUndefined();
  latest.note("key", 8);
  expect(latest.known("key", 1_000)).toBe(8);
  vi.advanceTimersByTime(1_000);
  expect(latest.known("key", 1_000)).toBeUndefined();
});
