import * as fc from "fast-check";
import { expect, it } from "vitest";
import { Durations } from "../../../../src/domain/jobs/experience/durations.ts";

const of = (...all: readonly number[]) => all.reduce((durations, ms) => durations.and(ms), Durations.none);

it("tells when the first had ended, when most had, and when all will have", () => {
  expect(of(100, 300, 200, 400, 500)).toMatchObject({
    soonestMs: 100,
    usualMs: 400,
    latestMs: 600,
    meanMs: 300,
  });
  expect(of(100)).toMatchObject({ soonestMs: 100, usualMs: 100, latestMs: 200, spreadMs: 0 });
  expect(Durations.none).toMatchObject({ soonestMs: 0, usualMs: 0, latestMs: 0, meanMs: 0, count: 0 });
});

it("forgets what was long ago, so that one that took for ever does not count for ever", () => {
  const slow = Array.from({ length: 48 }, () => 100).reduce((all, ms) => all.and(ms), of(10_000));
  expect(slow).toMatchObject({ count: 48, latestMs: 100 * (1 + 1 / 48), usualMs: 100 });
});

it("tells how probably a job has ended, and how long that has been waited for", () => {
  const known = of(100, 200, 300);
  // One of three, or of four: another one may outlast them all.
  expect(known.expected(0, 150)).toEqual({ hasEnded: 1 / 4, waitedMs: 50 / 4 });
  expect(known.expected(0, 100)).toEqual({ hasEnded: 1 / 4, waitedMs: 0 });
  expect(known.expected(0, 50)).toEqual({ hasEnded: 0, waitedMs: 0 });
  expect(known.expected(150, 320)).toEqual({ hasEnded: 2 / 3, waitedMs: (120 + 20) / 3 });
  expect(known.expected(300, 400)).toEqual({ hasEnded: 0, waitedMs: 0 });
});

it("never expects less of a job for being older, nor more than its whole age", () => {
  const ms = fc.integer({ min: 0, max: 1_000 });
  fc.assert(
    fc.property(fc.array(ms, { maxLength: 60 }), ms, ms, ms, (all, ran, younger, more) => {
      const known = of(...all);
      const [now, later] = [younger, younger + more].map((age) => known.expected(ran, ran + age));
      expect(later?.hasEnded).toBeGreaterThanOrEqual(now?.hasEnded ?? 1);
      expect(later?.waitedMs).toBeGreaterThanOrEqual(now?.waitedMs ?? Infinity);
      expect(later?.hasEnded).toBeLessThan(1);
      expect(later?.waitedMs).toBeLessThanOrEqual(younger + more);
    }),
  );
});

it("takes one that was not seen to end for one of those that it may have been like, each in turn", () => {
  const known = of(100, 200, 300);
  // A little sooner, or it would never be seen that they have become faster.
  expect(known.andBetween(150, 1_000).meanMs).toBe((600 + 300 * 0.95) / 4);
  const twice = known.andBetween(50, 1_000).andBetween(250, 1_000);
  expect(twice.meanMs).toBeCloseTo((600 + 100 * 0.95 + 300 * 0.95) / 5);
  expect(known.andBetween(290, 1_000).meanMs).toBe((600 + 290) / 4);
  expect(known.andBetween(400, 600).meanMs).toBe((600 + 500) / 4);
  expect(Durations.none.andBetween(40, 60).meanMs).toBe(50);
});

it("is kept by its mean, its spread and its count", () => {
  const kept = Durations.around(300, 50, 5);
  expect(kept).toMatchObject({ count: 5, meanMs: 300, soonestMs: 200 });
  expect(kept.usualMs).toBe(350);
  expect(Durations.around(10, 50, 3).soonestMs).toBe(0);
  expect(Durations.around(300, 50, 1)).toMatchObject({ count: 1, soonestMs: 300, usualMs: 300 });
  expect(Durations.around(300, 50, 900).count).toBe(48);
});
