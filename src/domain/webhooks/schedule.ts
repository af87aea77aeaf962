const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses after the first failure, the second, and so on, as Standard Webhooks recommends them. */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** How far a pause may differ from its length, either way, so that what failed together does not return together. */
const JITTER = 0.1;

/** The longest that a receiver may ask us to wait. */
const LONGEST_WAIT_MS = 24 * HOUR;

/** The answers that may say when to come back. */
const SAYS_WHEN = new Set([429, 503]);

/** What a try came to. */
export interface AttemptOutcome {
  /** Null where nothing was answered. */
  readonly status: number | null;
  /** The `retry-after` header, where there was one. */
  readonly retryAfter?: string | undefined;
}

/** What becomes of a message after a try; `gone`: nothing more is wanted there. */
export type Fate =
  | { readonly state: "delivered" | "failed" | "gone" }
  | { readonly state: "due"; readonly nextAt: number };

/**
 * What becomes of a message.
 * @param failures tries that failed before this one
 * @param now in milliseconds since 1970
 * @param chance 0 to 1
 */
export function fateOf(outcome: AttemptOutcome, failures: number, now: number, chance: number): Fate {
  const { status } = outcome;
  if (status !== null && status >= 200 && status < 300) return { state: "delivered" };
  if (status === 410) return { state: "gone" };
  const pause = PAUSES[failures];
  if (pause === undefined) return { state: "failed" };
  const planned = now + Math.round(pause * (1 + JITTER * (2 * chance - 1)));
  return { state: "due", nextAt: Math.max(planned, wantedAt(outcome, now)) };
}

/** When the receiver wants to be asked again; 0 where it does not say. Seconds or a date (RFC 9110, 10.2.3). */
function wantedAt({ status, retryAfter = "" }: AttemptOutcome, now: number): number {
  if (status === null || !SAYS_WHEN.has(status)) return 0;
  const at = /^\d+$/.test(retryAfter) ? now + Number(retryAfter) * SECOND : Date.parse(retryAfter);
  return Number.isNaN(at) ? 0 : Math.min(at, now + LONGEST_WAIT_MS);
}
