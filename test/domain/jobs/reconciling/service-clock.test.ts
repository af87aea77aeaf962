import { expect, it } from "vitest";
import {
  ANY_ZONE,
  byOurs,
  type ClockSample,
  measureClock,
} from "../../../../src/domain/jobs/reconciling/service-clock.ts";

const HOUR = 3_600_000;
const BLUR = 2_000;
const sample = (at: number, ahead: number, took = 1_000): ClockSample => ({
  sentAt: at,
  acceptedAt: at + took,
  createdAt: at + took + ahead,
});

it("is known as far as the time between sending and the answer", () => {
  expect(measureClock([sample(0, HOUR)], 0)).toEqual({ least: HOUR - BLUR, most: HOUR + 1_000 + BLUR });
  expect(measureClock([], 0)).toBeUndefined();
});

it("is known better by several that agree", () => {
  const quick = { sentAt: 9_900, acceptedAt: 10_000, createdAt: 10_000 + HOUR };
  const early = { sentAt: 20_000, acceptedAt: 21_000, createdAt: 20_000 + HOUR };
  expect(measureClock([sample(0, HOUR, 5_000), quick, early], 0)).toEqual({
    least: HOUR - BLUR,
    most: HOUR + BLUR,
  });
});

it("is that of the time that matters, not of before it was set", () => {
  const samples = [sample(0, 5 * HOUR), sample(100_000, HOUR), sample(900_000, 9 * HOUR)];
  expect(measureClock(samples, 90_000)).toEqual({ least: HOUR - BLUR, most: HOUR + 1_000 + BLUR });
});

it("is measured by the five that are nearest", () => {
  const alike = Array.from({ length: 5 }, () => sample(0, HOUR, 4_000));
  const exact = { sentAt: 60_000, acceptedAt: 60_000, createdAt: 60_000 + HOUR };
  expect(measureClock([exact, ...alike], 0)?.most).toBe(HOUR + 4_000 + BLUR);
  expect(measureClock([exact, ...alike.slice(1)], 0)?.most).toBe(HOUR + BLUR);
});

it("tells when by our clock something happened", () => {
  expect(byOurs(10 * HOUR, { least: HOUR, most: 2 * HOUR })).toEqual({
    from: 8 * HOUR - BLUR,
    to: 9 * HOUR + BLUR,
  });
});

it("may be in any zone where nothing was measured: an hour beyond UTC-12 and UTC+14", () => {
  expect(ANY_ZONE).toEqual({ least: -13 * HOUR, most: 15 * HOUR });
});
