import { z } from "zod";
import { type BudgetState, tokensLeft } from "../../../src/seam/access/budgets.ts";
import { isoOf } from "./job.ts";

/** How far a budget has been spent. */
export const budgetSchema = z
  .object({
    object: z.literal("budget"),
    whose: z.enum(["partner", "user"]).meta({
      description: "Of all your jobs together, or of those of one `in_app_username`.",
    }),
    in_app_username: z.string().nullable().meta({ example: "user-42" }),
    period: z.enum(["day", "month"]).meta({ description: "Of UTC." }),
    budget: z.number().meta({ description: "Tokens that may be spent.", example: 500 }),
    spent: z.number().meta({
      description: "Tokens that were spent, with the expected price of what is being made.",
      example: 412.5,
    }),
    left: z.number().meta({ description: "Tokens that are left.", example: 87.5 }),
    ends_at: z.iso.datetime().meta({ description: "When it begins anew." }),
  })
  .meta({ id: "Budget" });

/** A budget, as partners read it. @param username whose it is; null: everybody's */
export function budgetBody(
  { whose, period, max, spent, until }: BudgetState,
  username: string | null,
): z.output<typeof budgetSchema> {
  return {
    object: "budget",
    whose: whose === "user" ? whose : "partner",
    in_app_username: whose === "user" ? username : null,
    period,
    budget: max,
    spent,
    left: tokensLeft({ max, spent }),
    ends_at: isoOf(until),
  };
}
