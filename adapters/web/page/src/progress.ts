/** The moving bar between two reads of a job: pure. */
import type { ProgressView } from "../../../../src/chat/views.ts";

/** From here on the bar only creeps: the expected end is a guess. */
const SURE = 90;
/** What stays for sending. */
const MOST = 98;

/**
 * How far a job probably is, 0 to 100; null where nothing is known, such as in the queue.
 * @param now in milliseconds since 1970
 */
export function progressAt(view: ProgressView, now: number): number | null {
  if (view.phase === "sending") return MOST;
  if (view.phase !== "running") return null;
  const { percent, expectedAt, job } = view;
  if (expectedAt === undefined) return percent === undefined ? null : Math.min(percent, MOST);
  const elapsed = (100 * (now - job.createdAt)) / Math.max(1, expectedAt - job.createdAt);
  return Math.min(MOST, Math.max(percent ?? 0, creep(elapsed)));
}

/** Goes on ever slower beyond {@link SURE}, without a jump in speed. */
function creep(percent: number): number {
  if (percent <= SURE) return Math.max(0, percent);
  const rest = MOST - SURE;
  return SURE + rest * (1 - Math.exp(-(percent - SURE) / rest));
}
