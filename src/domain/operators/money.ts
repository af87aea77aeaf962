import type { Database } from "../../infrastructure/storage/database.ts";
import { dialectOf } from "../../infrastructure/storage/dialect.ts";
import {
  type Money,
  MONEY_DIMENSIONS,
  type MoneyDimension,
  type MoneyPayer,
  type MoneyPeriod,
  type MoneyRow,
  type MoneySums,
  type NamedSums,
} from "../../seam/access/money.ts";
import type { OperatorBudgets } from "../policy/budgets.ts";
import { type Days, firstDay, sumDays } from "../usage/day-sums.ts";
import { DAY_MS, dayOf, firstOfMonth, forecastOf, forecastSince } from "../usage/forecast.ts";
import { costlyJobs } from "./costly-jobs.ts";
import { spentBudgets } from "./spent-budgets.ts";

/** What it is looked at with. */
export interface MoneyParts {
  readonly database: Pick<Database, "kysely">;
  readonly policy: { readonly budgets: OperatorBudgets };
  /** Whether play money is what jobs cost, which is never added to tokens of a service. */
  readonly inSandbox: boolean;
}

/** From which share on a budget is near its end where nothing is set, and nobody is warned. */
const NEAR_AT = 0.8;

const NOTHING: MoneySums = { jobs: 0, completed: 0, failed: 0, unsure: 0, tokens: 0, failedTokens: 0 };

/** The days of a period. @param now milliseconds since 1970 */
export function daysOf(period: MoneyPeriod, now: number): Days {
  const month = firstOfMonth(now);
  if (period === "last_month") {
    const until = dayOf(Date.parse(month) - DAY_MS);
    return { since: firstOfMonth(Date.parse(until)), until };
  }
  return { since: period === "month" ? month : dayOf(now - 29 * DAY_MS), until: dayOf(now) };
}

/** What tokens of a period went to, what this month may come to, and what may still be spent. */
export async function lookAtMoney(parts: MoneyParts, period: MoneyPeriod): Promise<Money> {
  const { database, policy, inSandbox } = parts;
  const now = await dialectOf(database.kysely).now(database.kysely);
  const days = daysOf(period, now);
  const by = async (dimension: MoneyDimension) =>
    named(dimension, await sumDays(database, days, [dimension], inSandbox));
  const [[total = NOTHING], perDay, operations, platforms, partners, payers] = await Promise.all([
    sumDays(database, days, [], inSandbox),
    by("day"),
    by("operation"),
    by("platform"),
    by("partner"),
    by("payer"),
  ]);
  const lately = await sumDays(
    database,
    { since: forecastSince(now), until: dayOf(now) },
    ["day"],
    inSandbox,
  );
  const spent = new Map(lately.map(({ day = "", tokens }) => [day, tokens]));
  const nearAt = policy.budgets.warnAt ?? NEAR_AT;
  return {
    ...days,
    total,
    days: everyDay(days, perDay),
    operations: dearestFirst(operations),
    platforms: dearestFirst(platforms),
    partners: dearestFirst(partners.filter(({ name }) => name !== "")),
    payers: dearestFirst(payers) as (NamedSums & { readonly name: MoneyPayer })[],
    forecast: forecastOf(spent, await firstDay(database, inSandbox), now),
    budgets: await spentBudgets(database, policy.budgets, now, inSandbox),
    nearAt,
    ...(await costlyJobs(database, days, total, inSandbox)),
  };
}

/** All that is summed of a period, in rows. */
export async function moneyRows(
  { database, inSandbox }: MoneyParts,
  period: MoneyPeriod,
): Promise<readonly MoneyRow[]> {
  const now = await dialectOf(database.kysely).now(database.kysely);
  return sumDays(database, daysOf(period, now), MONEY_DIMENSIONS, inSandbox);
}

const named = (dimension: MoneyDimension, rows: readonly MoneyRow[]): NamedSums[] =>
  rows.map(({ jobs, completed, failed, unsure, tokens, failedTokens, [dimension]: name = "" }) => ({
    name,
    jobs,
    completed,
    failed,
    unsure,
    tokens,
    failedTokens,
  }));

const dearestFirst = (sums: readonly NamedSums[]) => sums.toSorted((a, b) => b.tokens - a.tokens);

/** A day on which nothing happened is one of them: a plot without it would lie. */
function everyDay({ since, until }: Days, found: readonly NamedSums[]): readonly NamedSums[] {
  const known = new Map(found.map((sums) => [sums.name, sums]));
  const count = Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, nth) => {
    const name = dayOf(Date.parse(since) + nth * DAY_MS);
    return known.get(name) ?? { ...NOTHING, name };
  });
}
