/**
 * The service's published facts, as data: what its documentation states, and nothing of ours.
 * The client, the operations and the sandbox all read them here, so that none can drift from the others.
 * Section numbers are those of the service's documentation.
 */

/** The window in which every published rate is counted, in milliseconds (section 8.1). */
export const RATE_WINDOW_MS = 60_000;

/** Requests per window, per IP and per key, for each group of endpoints (section 8.1). */
export const RATE_LIMITS = {
  /** `/user/*`, `/templates` and the other catalogues. */
  user: 120,
  /** `/job/*`, `/jobs`, `/stats`. */
  status: 120,
  /** `/generate/video`. */
  video: 20,
  /** Every delete endpoint together. */
  delete: 20,
} as const;

/** A group of endpoints that share one published rate. */
export type RateGroup = keyof typeof RATE_LIMITS;

/** Bounds of `POST /generate/video` (sections 4.3 and 8.2). */
export const VIDEO_BOUNDS = {
  duration: { min: 3, max: 8, default: 6 },
  steps: { choices: [4, 6, 8], default: 4 },
  cfg: { default: 1 },
  seed: { min: 0, random: -1 },
  orientations: ["portrait", "landscape", "square"],
  qualities: ["legacy", "new"],
  resultTypes: ["url", "base64"],
} as const;

/** The most jobs one page of `GET /jobs` holds, and its default (section 4.13). */
export const JOBS_PER_PAGE = { max: 100, default: 20 } as const;

/** The message of the 429 that means "slow down", as opposed to "no free job slot" (section 7). */
export const RATE_LIMIT_MESSAGE = "Too many requests. Please slow down.";

/** States in which a job has ended; every other value means that it still runs (sections 2.4 and 3). */
export const END_STATES = { completed: "COMPLETED", failed: "FAILED" } as const;
