import type { Database } from "../../infrastructure/storage/database.ts";

/** What stays of an erased job. */
const COUNTED = [
  "user",
  "platform",
  "in_app_username",
  "operation",
  "day",
  "success",
  "cost",
  "took_ms",
] as const;

/**
 * Erases jobs; what they count for in sums stays.
 * @param transaction in which nobody sees them twice, or not at all
 * @param column what `values` are: the jobs, or whose they are
 */
export async function eraseJobs(
  { kysely }: Pick<Database, "kysely">,
  column: "id" | "user",
  values: readonly string[],
): Promise<void> {
  const erased = kysely.selectFrom("usage").select(COUNTED).where(column, "in", values);
  await kysely
    .insertInto("erased_jobs")
    .columns(COUNTED)
    // Without an id it was erased before.
    .expression(erased.where("id", "is not", null))
    .execute();
  await kysely.deleteFrom("jobs").where(column, "in", values).execute();
}
