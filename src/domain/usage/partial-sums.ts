import { type SelectQueryBuilder, sql } from "kysely";
import { paidIn } from "../accounts/play-money.ts";
import { decimal } from "../../seam/amounts.ts";
import type { Dimension, UsageQuery, UsageRow } from "../../seam/access/usage.ts";
import type { UserId } from "../../seam/values.ts";
import type { DatabaseSchema } from "../../infrastructure/storage/schema.ts";

const COLUMN = {
  platform: "platform",
  username: "in_app_username",
  operation: "operation",
  day: "day",
} as const satisfies Record<Dimension, string>;

/** What a job took, in milliseconds; not known where the clock was set back meanwhile. */
const TOOK_MS = sql`case when took_ms >= 0 then took_ms end`;

/** Jobs as they count in sums. */
export type CountedJobs = SelectQueryBuilder<DatabaseSchema, "usage" | "erased_jobs", object>;

/** What some of the jobs came to that are alike in what they are summed by. */
export interface PartialSum extends Readonly<Partial<Record<Dimension, string | null>>> {
  readonly jobs: number;
  readonly successes: number;
  readonly cost: number;
  /** From request to result, in milliseconds, of all that took any time together, and how many those are. */
  readonly ms: number;
  readonly timed: number;
}

/** Sums those of some jobs that are asked for. */
export async function partialSums(
  some: CountedJobs,
  { by, since, until, platform, username, operation, user }: UsageQuery & { readonly user?: UserId },
  inSandbox: boolean,
): Promise<PartialSum[]> {
  let jobs = some.where(...paidIn(inSandbox));
  if (user !== undefined) jobs = jobs.where("user", "=", user);
  if (since !== undefined) jobs = jobs.where("day", ">=", since);
  if (until !== undefined) jobs = jobs.where("day", "<=", until);
  if (platform !== undefined) jobs = jobs.where("platform", "=", platform);
  if (username !== undefined) jobs = jobs.where("in_app_username", "=", username);
  if (operation !== undefined) jobs = jobs.where("operation", "=", operation);
  for (const dimension of by) {
    const column = COLUMN[dimension];
    jobs = jobs.select(`${column} as ${dimension}`).groupBy(column);
  }
  return jobs
    .select(({ fn }) => [
      fn.countAll<number>().as("jobs"),
      sql<number>`coalesce(sum(success), 0)`.as("successes"),
      sql<number>`coalesce(sum(cost), 0)`.as("cost"),
      // A sum of PostgreSQL's is a number of another kind than what is summed.
      sql<number>`cast(coalesce(sum(${TOOK_MS}), 0) as bigint)`.as("ms"),
      sql<number>`count(${TOOK_MS})`.as("timed"),
    ])
    .execute();
}

/** Adds up what parts of the jobs came to. */
export class Sums {
  readonly #by: readonly Dimension[];
  readonly #sums = new Map<string, PartialSum>();

  /** @param by what they are summed by */
  constructor(by: readonly Dimension[]) {
    this.#by = by;
  }

  add(parts: readonly PartialSum[]): void {
    for (const part of parts) {
      // Sorts as its values do, one after another; before all others, where there is none.
      const key = this.#by
        .map((dimension) => (part[dimension] == null ? "" : ` ${part[dimension]}`))
        .join("\0");
      const sum = this.#sums.get(key);
      this.#sums.set(key, sum ? plus(sum, part) : part);
    }
  }

  /** In the order of what they are summed by. */
  rows(): UsageRow[] {
    const inOrder = [...this.#sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return inOrder.map(([, { jobs, successes, cost, ms, timed, ...alike }]) =>
      Object.assign(alike, {
        jobs,
        successes,
        // Token amounts have two decimals (section 4.8); sums of binary fractions have more.
        tokens: Math.round(decimal(cost) * 100) / 100,
        seconds: timed === 0 ? null : Math.round(ms / timed / 100) / 10,
      }),
    );
  }
}

const plus = (a: PartialSum, b: PartialSum): PartialSum => ({
  ...a,
  jobs: a.jobs + b.jobs,
  successes: a.successes + b.successes,
  cost: a.cost + b.cost,
  ms: a.ms + b.ms,
  timed: a.timed + b.timed,
});
