import { idsFrom } from "../../common/ids.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { CostlyJob, Money, MoneySums } from "../../seam/access/money.ts";
import { paidIn } from "../accounts/play-money.ts";
import { costOf } from "../jobs/job-view.ts";
import { fromRow } from "../jobs/row.ts";
import type { Days } from "../usage/day-sums.ts";
import { DAY_MS } from "../usage/forecast.ts";

/** As many as can be looked over. */
const MOST = 20;

/**
 * Jobs of some days that came to nothing although they cost something, or nobody knows whether they did.
 * @param sums of the same days: where nothing failed, nothing is looked for
 * @param inSandbox which jobs; see `paidIn`
 */
export async function costlyJobs(
  { kysely }: Pick<Database, "kysely">,
  { since, until }: Days,
  { unsure, failedTokens }: Pick<MoneySums, "unsure" | "failedTokens">,
  inSandbox: boolean,
): Promise<Pick<Money, "costly" | "moreCostly">> {
  if (failedTokens === 0 && unsure === 0) return { costly: [], moreCostly: false };
  const [from, to] = [Date.parse(since), Date.parse(until) + DAY_MS];
  const rows = await kysely
    .selectFrom("jobs")
    .selectAll()
    // Ids are in the order of time, so that no other month is looked through.
    .where("id", ">=", idsFrom(from))
    .where("id", "<", idsFrom(to))
    .where("state", "=", "failed")
    .where(...paidIn(inSandbox))
    .where((where) =>
      where.or([
        where("cost", ">", 0),
        where.and([
          where("cost", "is", null),
          where.or([where("service_id", "is not", null), where("error", "like", '%"code":"lost_%')]),
        ]),
      ]),
    )
    .orderBy("id", "desc")
    .limit(MOST + 1)
    .execute();
  const costly = rows
    .slice(0, MOST)
    .map(fromRow)
    .map((job): CostlyJob => ({
      id: job.id,
      user: job.user,
      operation: job.operation,
      createdAt: job.createdAt,
      error: job.error?.code ?? null,
      cost: costOf(job),
    }));
  return { costly, moreCostly: rows.length > MOST };
}
