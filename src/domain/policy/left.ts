import { ReelayError } from "../../common/errors.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { type Period, tokensLeft } from "../../seam/access/budgets.ts";
import type { Caps } from "../../seam/access/partners.ts";
import type { UserId } from "../../seam/values.ts";
import { purseOf } from "../accounts/play-money.ts";
import { countJobs } from "../jobs/count.ts";
import { PartnerBook } from "../partners/partner-book.ts";
import { partnerStates } from "./budgets.ts";
import { UsageCounter } from "./usage-counter.ts";

/**
 * What is left of the caps of all jobs of a partner; of what has no bound, nothing is said.
 * @param now milliseconds since 1970
 * @throws ReelayError `not_invited` where the partner was removed meanwhile
 */
export async function partnerLeft(
  database: Pick<Database, "kysely">,
  user: UserId,
  now: number,
  inSandbox: boolean,
): Promise<Caps> {
  const partner = await new PartnerBook(database).ofUser(user);
  if (!partner) throw new ReelayError("not_invited");
  const { day, month, atOnce } = partner.caps;
  const counter = new UsageCounter(database);
  const begun = (period: Period, max: number | undefined) =>
    jobsLeft(max, () => counter.count({ by: user, period, ...purseOf(inSandbox) }));
  const states = await partnerStates(database, user, undefined, now, inSandbox);
  const unspent = (during: Period) => {
    const state = states.find(({ period }) => period === during);
    return state && tokensLeft(state);
  };
  return {
    day: await begun("day", day),
    month: await begun("month", month),
    atOnce: await jobsLeft(atOnce, () => countJobs(database, { user, goingOn: true })),
    dayTokens: unspent("day"),
    monthTokens: unspent("month"),
  };
}

async function jobsLeft(max: number | undefined, count: () => Promise<number>): Promise<number | undefined> {
  return max === undefined ? undefined : Math.max(0, max - (await count()));
}
