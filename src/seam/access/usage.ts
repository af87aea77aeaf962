/** What jobs may be summed by. `username` is the service's `in_app_username`; a day is one of UTC. */
export const DIMENSIONS = ["platform", "username", "operation", "day"] as const;

/** One of {@link DIMENSIONS}. */
export type Dimension = (typeof DIMENSIONS)[number];

/** What is summed, in the order of columns. */
export const MEASURES = ["jobs", "successes", "tokens", "seconds"] as const satisfies (keyof UsageRow)[];

/** Which jobs are summed, and by what. */
export interface UsageQuery {
  /** In this order, also of the rows; none: everything in one row. */
  readonly by: readonly Dimension[];
  /** The first day that counts, as YYYY-MM-DD (UTC). */
  readonly since?: string | undefined;
  /** The last day that counts. */
  readonly until?: string | undefined;
  readonly platform?: string | undefined;
  readonly username?: string | undefined;
  readonly operation?: string | undefined;
}

/** The jobs that are alike in what they are summed by; a username is null where people wanted to be forgotten. */
export interface UsageRow extends Readonly<Partial<Record<Dimension, string | null>>> {
  /** Everything that was asked for, whatever became of it. */
  readonly jobs: number;
  readonly successes: number;
  /** Charged. */
  readonly tokens: number;
  /** From request to result, on average; null without a success. */
  readonly seconds: number | null;
}
