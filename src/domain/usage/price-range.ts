import { sql } from "kysely";
import { paidIn } from "../accounts/play-money.ts";
import type { PriceRange } from "../../seam/fields.ts";
import type { Values } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { dialectOf } from "../../infrastructure/storage/dialect.ts";
import type { Operation } from "../operations/operation.ts";

/** So many jobs there must have been: what one or two cost would tell who asks now about them. */
const AT_LEAST = 3;

/** How many of this house's last jobs are looked at: the others are too old to tell, and would take too long to look at. */
const LOOK_BACK = 1_000;

/**
 * What jobs of an operation that are as long as this one cost in this house lately; nothing of them but that.
 * @param inSandbox whether play money is what they cost: it tells nothing of another service's prices
 * @returns undefined where there were too few
 */
export async function priceRangeOf(
  { kysely }: Pick<Database, "kysely">,
  { id }: Pick<Operation, "id">,
  { duration }: Values,
  inSandbox: boolean,
): Promise<PriceRange | undefined> {
  const { json } = dialectOf(kysely);
  const { count, least, most } = await kysely
    .selectFrom((from) =>
      from.selectFrom("jobs").selectAll().orderBy("id", "desc").limit(LOOK_BACK).as("lately"),
    )
    .select(({ fn }) => [
      fn.count<number>("cost").as("count"),
      fn.min<number | null>("cost").as("least"),
      fn.max<number | null>("cost").as("most"),
    ])
    .where("operation", "=", id)
    .where(...paidIn(inSandbox))
    .where("state", "=", "completed")
    .where(
      json.field(sql`input`, "duration"),
      "is not distinct from",
      duration === undefined ? null : json.value(duration),
    )
    .executeTakeFirstOrThrow();
  return count < AT_LEAST || least === null || most === null ? undefined : { least, most };
}
