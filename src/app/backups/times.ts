import type { BackupTimes } from "../settings/upkeep.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Whether a backup is due. The first one is at once, and so is one that was missed.
 * @param lastAt when the last one began, in milliseconds since 1970; undefined: there is none
 */
export function isBackupDue(times: BackupTimes, lastAt: number | undefined, now: number): boolean {
  // One of the future is of a clock that was set back since.
  if (lastAt === undefined || lastAt > now) return true;
  if ("everyMs" in times) return now - lastAt >= times.everyMs;
  const today = now - (now % DAY_MS) + times.atMs;
  return lastAt < (today <= now ? today : today - DAY_MS);
}
