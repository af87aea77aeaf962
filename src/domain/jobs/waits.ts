/** Pauses between two tries, in milliseconds: each twice as long as the one before. */
export interface Pauses {
  readonly first: number;
  readonly longest: number;
}

/** How long to wait after so many tries. */
export function pauseAfter(attempts: number, { first, longest }: Pauses): number {
  return Math.min(first * 2 ** Math.min(attempts, 30), longest);
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * For how long a file is asked for that the service does not give, or not whole, after the end of its job, in milliseconds.
 * How long it keeps files is not documented.
 */
export const FILE_WAIT_MS = DAY_MS;

/** For how long accepted jobs wait for a key of their account, in milliseconds. */
export const KEY_WAIT_MS = 30 * DAY_MS;

/** How often the service has to say that it does not know a job before that is believed: over an hour, with these pauses. */
export const MISSING_TRIES = 13;

/** Between two reads of a job that the service says it does not know, in units of the least time between two reads. */
export const MISSING_PAUSES: Pauses = { first: 2, longest: 120 };

/** Between two reads under a key that is refused, in the same unit: 10 seconds at first, an hour in the end. */
export const REFUSED_PAUSES: Pauses = { first: 2, longest: 720 };
