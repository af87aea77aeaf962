import type { BudgetState } from "../../seam/access/budgets.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { covers, inTokens } from "../budgets/budget.ts";
import type { HeldTokens } from "../budgets/spending.ts";
import { GOING_ON } from "../jobs/row.ts";

/**
 * Whether a budget that does not cover a price would, but for jobs whose price is not known yet: what is set aside for one is that of
 * the dearest of all, and corrected once it is accepted.
 * @param entry where it is counted; see `entryOf`
 * @param price tokens; null: not known
 */
export async function isReserved(
  { kysely }: Pick<Database, "kysely">,
  entry: string,
  { spent, max }: BudgetState,
  price: number | null,
): Promise<boolean> {
  const rows = await kysely
    .selectFrom("jobs")
    .select("held")
    .where("going_on", "=", GOING_ON)
    .where("cost", "is", null)
    .where("held", "like", `%${entry}%`)
    .execute();
  const held = rows.map((row) => JSON.parse(row.held ?? "{}") as HeldTokens);
  const unsettled = held.reduce((sum, { tokens, isGuess }) => sum + (isGuess ? inTokens(tokens) : 0), 0);
  return unsettled > 0 && covers({ spent: Math.max(0, spent - unsettled), max }, price);
}
