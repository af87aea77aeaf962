import { expect, it } from "vitest";
import {
  FILE_WAIT_MS,
  KEY_WAIT_MS,
  MISSING_PAUSES,
  MISSING_TRIES,
  pauseAfter,
  REFUSED_PAUSES,
} from "../../../src/domain/jobs/waits.ts";

it("waits twice as long each time, up to the longest", () => {
  const pauses = { first: 3, longest: 40 };
  expect([0, 1, 2, 3, 4, 5, 1_000].map((tries) => pauseAfter(tries, pauses))).toEqual([
    3, 6, 12, 24, 40, 40, 40,
  ]);
  expect(pauseAfter(2_000, { first: 0, longest: 40 })).toBe(0);
});

it("believes a 404 after more than an hour, and asks under a refused key once an hour in the end", () => {
  const pollMs = 5_000;
  const tries = Array.from({ length: MISSING_TRIES - 1 }, (_, nth) => pauseAfter(nth, MISSING_PAUSES));
  const minutes = (tries.reduce((sum, pause) => sum + pause, 0) * pollMs) / 60_000;
  expect(minutes).toBeGreaterThan(60);
  expect(minutes).toBeLessThan(75);
  expect(pauseAfter(0, REFUSED_PAUSES) * pollMs).toBe(10_000);
  expect(pauseAfter(99, REFUSED_PAUSES) * pollMs).toBe(3_600_000);
});

it("asks for a file for a day, and waits for a key for a month", () => {
  const dayMs = 24 * 3_600_000;
  expect([FILE_WAIT_MS, KEY_WAIT_MS]).toEqual([dayMs, 30 * dayMs]);
});
