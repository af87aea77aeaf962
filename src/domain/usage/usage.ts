import { sql } from "kysely";
import type { Dimension, UsageQuery, UsageRow } from "../../seam/access/usage.ts";
import type { UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";

const COLUMN = {
  platform: "platform",
  username: "in_app_username",
  operation: "operation",
  day: "day",
} as const satisfies Record<Dimension, string>;

/**
 * Sums jobs, also those that were deleted since. Rows come in the order of what they are summed by.
 * @param query `user`: theirs alone
 */
export async function sumUsage(
  database: Database,
  query: UsageQuery & { readonly user?: UserId },
): Promise<UsageRow[]> {
  const { by, since, until, platform, username, operation, user } = query;
  let jobs = database.kysely.selectFrom("usage");
  if (user !== undefined) jobs = jobs.where("user", "=", user);
  if (since !== undefined) jobs = jobs.where("day", ">=", since);
  if (until !== undefined) jobs = jobs.where("day", "<=", until);
  if (platform !== undefined) jobs = jobs.where("platform", "=", platform);
  if (username !== undefined) jobs = jobs.where("in_app_username", "=", username);
  if (operation !== undefined) jobs = jobs.where("operation", "=", operation);
  for (const dimension of by) {
    const column = COLUMN[dimension];
    jobs = jobs
      .select(`${column} as ${dimension}`)
      .groupBy(column)
      .orderBy(column, (rows) => rows.asc().nullsFirst());
  }
  return jobs
    .select(({ fn }) => [
      fn.countAll<number>().as("jobs"),
      sql<number>`coalesce(sum(success), 0)`.as("successes"),
      // Token amounts have two decimals (section 4.8); sums of binary fractions have more.
      sql<number>`round(cast(coalesce(sum(cost), 0) as numeric), 2)`.as("tokens"),
      sql<number | null>`round(cast(avg(took_ms) / 1000 as numeric), 1)`.as("seconds"),
    ])
    .execute();
}
