import { statesOf } from "../budgets/spending.ts";
import type { CommandParts } from "../commands/command.ts";
import { partnerStates } from "../policy/budgets.ts";
import { currentTime } from "../../common/time.ts";
import type { Database } from "../../infrastructure/storage/database.ts";

/** What the database is asked about money. */
type Sums = Pick<CommandParts, "spent" | "partnerBudgets" | "partnerLeft" | "priceRange" | "sumUsage">;

/** What is asked for seldom is loaded then. @param inSandbox whether it is play money */
export const sumsOf = (database: Database, inSandbox: boolean): Sums => ({
  spent: (budgets) => statesOf(database, budgets, currentTime()),
  partnerBudgets: (user, username) => partnerStates(database, user, username, currentTime(), inSandbox),
  partnerLeft: async (user) =>
    (await import("../policy/left.ts")).partnerLeft(database, user, currentTime(), inSandbox),
  // Looked for where a price is not known.
  priceRange: async (operation, values) =>
    (await import("../usage/price-range.ts")).priceRangeOf(database, operation, values, inSandbox),
  sumUsage: async (query) => (await import("../usage/usage.ts")).sumUsage(database, query, inSandbox),
});
