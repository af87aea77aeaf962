import type { Address, Receipt, Tags, UserId, Values } from "./values.ts";
import type { Phase, Problem } from "./views.ts";

/** Where a job is: on its way, or how it ended. */
export type JobPhase = Phase | "completed" | "failed" | "cancelled";

/** A job as its owner's platform may read it. Times are milliseconds since 1970. */
export interface JobRecord {
  readonly id: string;
  readonly user: UserId;
  readonly operation: string;
  readonly values: Values;
  readonly tags: Tags;
  /** Where it was asked for. */
  readonly address: Address;
  /** What the platform noted when it was told of it last. */
  readonly receipt: Receipt | null;
  readonly phase: JobPhase;
  /** 0 to 100, as the service estimates it. */
  readonly progress: number | null;
  /** Tokens charged; null as long as that is not known. */
  readonly cost: number | null;
  /** Why it came to nothing. */
  readonly problem: Problem | null;
  readonly createdAt: number;
  /** When the service accepted it. */
  readonly acceptedAt: number | null;
  readonly endedAt: number | null;
}

/** Where a job is, as far as one searches by it. */
export const JOB_STATES = ["queued", "running", "completed", "failed", "cancelled"] as const;

/** One of {@link JOB_STATES}. */
export type JobState = (typeof JOB_STATES)[number];

/** Which of somebody's jobs are listed; what is left out does not matter. */
export interface JobQuery {
  /** Only those older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
  readonly state?: JobState | undefined;
  readonly operation?: string | undefined;
  /** The service's `in_app_username`. */
  readonly username?: string | undefined;
  /** Asked for at this time or later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Asked for before this time. */
  readonly until?: number | undefined;
}
