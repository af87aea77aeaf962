import { sql } from "kysely";
import { idsFrom } from "../../common/ids.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { dialectOf } from "../../infrastructure/storage/dialect.ts";
import type { UserId } from "../../seam/values.ts";
import { paidIn } from "../accounts/play-money.ts";
import { dayOf } from "./forecast.ts";

type Within = Pick<Database, "kysely">;

/** Jobs that count together: somebody's, of which money, from when on. */
export interface BegunJobs {
  readonly user: UserId;
  readonly inSandbox: boolean;
  /** When a day (UTC) began, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * How many were begun, by name, but for those that came to nothing and cost nothing; in one statement, so that none is erased meanwhile.
 * @param lost codes of jobs that may have cost something where nothing is known of it
 */
export async function begunIn(
  { kysely }: Within,
  { user, inSandbox, since }: BegunJobs,
  lost: ReadonlySet<string>,
): Promise<ReadonlyMap<string | null, number>> {
  const { json } = dialectOf(kysely);
  const isLost = sql`${json.field(sql`error`, "code")} in (${sql.join([...lost].map((code) => json.value(code)))})`;
  // As `costOf` says it.
  const costSomething = sql<boolean>`((state in ('failed', 'cancelled') and cost = 0)
    or (state = 'failed' and cost is null and service_id is null and not ${isLost})) is not true`;
  const rows = await kysely
    .selectFrom("jobs")
    .select(({ fn }) => ["in_app_username as name", fn.countAll<number>().as("count")])
    .where("user", "=", user)
    .where("id", ">=", idsFrom(since))
    .where(...paidIn(inSandbox))
    .where(costSomething)
    .groupBy("in_app_username")
    .unionAll(
      kysely
        .selectFrom("erased_jobs")
        .select(({ fn }) => ["in_app_username as name", fn.countAll<number>().as("count")])
        .where("user", "=", user)
        .where("day", ">=", dayOf(since))
        .where(...paidIn(inSandbox))
        .where(sql<boolean>`(success = 0 and cost = 0) is not true`)
        .groupBy("in_app_username"),
    )
    .execute();
  const begun = new Map<string | null, number>();
  for (const { name, count } of rows) begun.set(name, (begun.get(name) ?? 0) + count);
  return begun;
}
