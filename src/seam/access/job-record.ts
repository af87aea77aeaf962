import type { Address, Receipt, Tags, UserId, Values } from "../values.ts";
import type { Phase, Problem } from "../views.ts";

/** Where a job is: on its way, or how it ended. */
export type JobPhase = Phase | "completed" | "failed" | "cancelled";

/** How long a job will go on, as far as that is known. */
export interface Outlook {
  /** Jobs of the same person that go first, of those that count in the same rate of the service: counted up to {@link MOST_AHEAD}; null where it waits for no turn. */
  readonly ahead: number | null;
  /** When jobs like it usually end, in milliseconds since 1970; null where that is not known, or was in vain. */
  readonly expectedAt: number | null;
}

/** So many or more go first: a job that comes after thousands is not to cost what it costs to count them. */
export const MOST_AHEAD = 1_000;

/** What is known of a job that is over, or that nobody looks ahead for. */
export const NO_OUTLOOK: Outlook = { ahead: null, expectedAt: null };

/** A job as its owner's platform may read it. Times are milliseconds since 1970. */
export interface JobRecord extends Outlook {
  readonly id: string;
  readonly user: UserId;
  readonly operation: string;
  readonly values: Values;
  readonly tags: Tags;
  /** Whether a template flagged mature was chosen for it. */
  readonly mature: boolean;
  /** Where it was asked for. */
  readonly address: Address;
  /** What the platform noted when it was told of it last. */
  readonly receipt: Receipt | null;
  readonly status: JobStatus;
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

/** Where a job is, as far as one searches by it: everything between the queue and the end is `running`. */
export const JOB_STATUSES = ["queued", "running", "completed", "failed", "cancelled"] as const;

/** One of {@link JOB_STATUSES}. */
export type JobStatus = (typeof JOB_STATUSES)[number];
