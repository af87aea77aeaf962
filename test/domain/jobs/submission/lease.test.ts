import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { instant } from "../../../../src/common/time.ts";
import { Lease, LEASE_MS, leaseFor } from "../../../../src/domain/jobs/submission/lease.ts";

const BEGIN = 1_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"], now: BEGIN }));
afterEach(() => void vi.useRealTimers());

it("is held for five sixths of its time, and anew from each sign of life", () => {
  const lease = new Lease(6_000);
  expect(lease.isHeld()).toBe(false);
  lease.renew(instant());
  expect(lease.isHeld()).toBe(true);
  vi.advanceTimersByTime(4_999);
  expect(lease.isHeld()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(lease.isHeld()).toBe(false);
  lease.renew(instant());
  expect(lease.isHeld()).toBe(true);
  lease.end();
  expect(lease.isHeld()).toBe(false);
});

it.each([
  ["the machine slept: the calendar alone went on", { monotonic: 0, wall: -5_000 }],
  ["the calendar was set back meanwhile", { monotonic: -5_000, wall: 1_000 }],
])("has lapsed where %s", (_name, away) => {
  const { monotonic, wall } = instant();
  const lease = new Lease(6_000);
  lease.renew({ monotonic: monotonic + away.monotonic, wall: wall + away.wall });
  expect(lease.isHeld()).toBe(false);
});

it("lasts half of a window of the service, within bounds", () => {
  expect([60_000, 600_000, 20_000, 1_000].map(leaseFor)).toEqual([LEASE_MS, LEASE_MS, 10_000, 5_000]);
  expect(LEASE_MS).toBe(30_000);
});
