import { sql } from "kysely";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { MoneyDimension, MoneyRow } from "../../seam/access/money.ts";
import { paidIn } from "../accounts/play-money.ts";
import { inTokens } from "../budgets/budget.ts";

type Storage = Pick<Database, "kysely">;

/** The days that are summed, as YYYY-MM-DD (UTC). */
export interface Days {
  readonly since: string;
  readonly until: string;
}

const COLUMN = {
  day: "day",
  operation: "operation",
  platform: "surface",
  partner: "partner",
  payer: "paid_by",
} as const satisfies Record<MoneyDimension, string>;

const COUNTS = ["jobs", "completed", "failed", "unsure", "tokens", "failed_tokens"] as const;

/**
 * What the jobs of some days came to, by one thing or several; rows come in the order of what they are summed by. It is kept for each
 * day, by whatever changes a job: however many jobs there are, a few rows are read.
 * @param inSandbox which of them; see `paidIn`
 */
export async function sumDays(
  { kysely }: Storage,
  { since, until }: Days,
  by: readonly MoneyDimension[],
  inSandbox: boolean,
): Promise<MoneyRow[]> {
  let sums = kysely
    .selectFrom("day_sums")
    .where("day", ">=", since)
    .where("day", "<=", until)
    .where(...paidIn(inSandbox));
  for (const dimension of by) {
    const column = COLUMN[dimension];
    sums = sums.select(`${column} as ${dimension}`).groupBy(column).orderBy(column);
  }
  const rows = await sums
    // A sum of PostgreSQL's is a number of another kind than what is summed.
    .select(COUNTS.map((name) => sql<number>`cast(coalesce(sum(${sql.ref(name)}), 0) as bigint)`.as(name)))
    .execute();
  return rows.map(({ tokens, failed_tokens: lost, ...row }) =>
    Object.assign(row, { tokens: inTokens(tokens), failedTokens: inTokens(lost) }),
  );
}

/** The first day of which anything is kept; undefined where there is none. @param inSandbox of which jobs; see `paidIn` */
export async function firstDay({ kysely }: Storage, inSandbox: boolean): Promise<string | undefined> {
  const { day } = await kysely
    .selectFrom("day_sums")
    .select(({ fn }) => fn.min<string | null>("day").as("day"))
    .where(...paidIn(inSandbox))
    .executeTakeFirstOrThrow();
  return day ?? undefined;
}

/** Takes a partner's id out of the sums; what they spent stays. @param kysely a transaction, after which they have no jobs */
export async function unnamePartner({ kysely }: Storage, partner: string): Promise<void> {
  const theirs = kysely
    .selectFrom("day_sums")
    .select(["day", "operation", "surface", sql.lit("").as("partner"), "paid_by", ...COUNTS])
    .where("partner", "=", partner);
  await kysely
    .insertInto("day_sums")
    .columns(["day", "operation", "surface", "partner", "paid_by", ...COUNTS])
    .expression(theirs)
    .onConflict((conflict) =>
      conflict
        .columns(["day", "operation", "surface", "partner", "paid_by"])
        .doUpdateSet((update) =>
          Object.fromEntries(
            COUNTS.map((name) => [name, update(`day_sums.${name}`, "+", update.ref(`excluded.${name}`))]),
          ),
        ),
    )
    .execute();
  await kysely.deleteFrom("day_sums").where("partner", "=", partner).execute();
}
