import { expect, it } from "vitest";
import { isBackupDue } from "../../../src/app/backups/times.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const HOUR_MS = 3_600_000;

it("the first backup is due at once, whatever the time", () => {
  expect(isBackupDue({ atMs: 3 * HOUR_MS }, undefined, at("2026-03-10T12:00"))).toBe(true);
  expect(isBackupDue({ everyMs: HOUR_MS }, undefined, 0)).toBe(true);
});

it.each([
  ["2026-03-10T03:00", "2026-03-11T02:59", false],
  ["2026-03-10T03:00", "2026-03-11T03:00", true],
  // Before midnight, and one that was missed.
  ["2026-03-10T03:00", "2026-03-10T23:59", false],
  ["2026-03-09T12:00", "2026-03-10T02:59", false],
  ["2026-03-09T02:59", "2026-03-10T02:59", true],
  // The clock was set back.
  ["2027-01-01T00:00", "2026-03-10T12:00", true],
] as const)("of a time of the day: the last one %s, now %s", (last, now, due) => {
  expect(isBackupDue({ atMs: 3 * HOUR_MS }, at(last), at(now))).toBe(due);
});

it("every so many hours counts from when the last one began", () => {
  const every = { everyMs: 6 * HOUR_MS };
  expect(isBackupDue(every, at("2026-03-10T03:00"), at("2026-03-10T08:59"))).toBe(false);
  expect(isBackupDue(every, at("2026-03-10T03:00"), at("2026-03-10T09:00"))).toBe(true);
});
