const DAY_MS = 24 * 3_600_000;

/** How long something is kept, in days; 0: for good. */
export interface Retention {
  readonly jobs: number;
  readonly audit: number;
  readonly usage: number;
}

/** What is older goes; undefined: it is kept for good. Times are milliseconds since 1970. */
export interface RetentionPlan {
  /** Jobs whose people were told before, with files, conversations and what was asked for in the audit. */
  readonly jobs: number | undefined;
  /** Lines of the audit, and reports. */
  readonly audit: number | undefined;
  /** The first day, as YYYY-MM-DD (UTC), of which sums still know names. */
  readonly usage: string | undefined;
}

/** What has been kept long enough by now. Pure. */
export function retentionPlan({ jobs, audit, usage }: Retention, now: number): RetentionPlan {
  const before = (days: number) => (days === 0 ? undefined : now - days * DAY_MS);
  const named = before(usage);
  return {
    jobs: before(jobs),
    audit: before(audit),
    usage: named === undefined ? undefined : new Date(named).toISOString().slice(0, "YYYY-MM-DD".length),
  };
}
