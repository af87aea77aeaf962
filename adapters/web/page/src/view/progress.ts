/** The moving bar between two reads of a job: pure. */
import type { ProgressView } from "../../../../../src/seam/views.ts";

/** From here on the bar only creeps: the expected end is a guess. */
const SURE = 90;
/** What stays for sending. */
const MOST = 98;
/** An end that is nearer than this, or past, is taken to be this far off, in milliseconds. */
const SOON_MS = 3000;

/** Where the bar was when a state was heard of. */
export interface ProgressStart {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** 0 to 100. */
  readonly percent: number;
}

/**
 * How far a job probably is, 0 to 100, and never less than at the start; null where nothing is known, such as in
 * the queue.
 * @param now in milliseconds since 1970
 */
export function progressAt(view: ProgressView, start: ProgressStart, now: number): number | null {
  if (view.phase === "sending") return MOST;
  if (view.phase !== "running") return null;
  const from = Math.max(start.percent, view.percent ?? 0);
  if (view.expectedAt === undefined) return from > 0 ? Math.min(from, MOST) : null;
  const share = (now - start.at) / Math.max(SOON_MS, view.expectedAt - start.at);
  return Math.max(start.percent, creep(from + (100 - from) * share));
}

/** Goes on ever slower beyond {@link SURE}, without a jump in speed. */
function creep(percent: number): number {
  if (percent <= SURE) return percent;
  const rest = MOST - SURE;
  return SURE + rest * (1 - Math.exp(-(percent - SURE) / rest));
}
