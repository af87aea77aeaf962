import { z } from "zod";
import { MEASURES } from "../../../src/seam/access/usage.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { csvOf } from "../../../src/seam/text/csv.ts";
import { budgetBody, budgetSchema } from "../resources/budget.ts";
import { budgetQuerySchema, USAGE_BY, usageQuerySchema } from "../route/requests.ts";
import { listSchema } from "../resources/list.ts";
import { rowBody, usageRowSchema } from "../resources/usage.ts";
import { type Route, route } from "../route/route.ts";

const budgetListSchema = listSchema(budgetSchema).meta({ id: "BudgetList" });

const usageSchema = z
  .object({ object: z.literal("usage"), data: z.array(usageRowSchema) })
  .meta({ id: "Usage" });

/** Sums of one's own jobs. */
export function usageRoutes({ intake }: Pick<GatewayParts, "intake">): readonly Route[] {
  return [
    route(
      {
        name: "readUsage",
        method: "get",
        path: "/usage",
        group: "Usage",
        summary: "Sum your jobs",
        description:
          "Jobs, successes, tokens charged and the average time, by any of platform, in_app_username, operation and day (UTC). Deleted jobs count, too: they were paid for.",
        scope: "usage:read",
        query: usageQuerySchema,
        answers: {
          200: {
            description: "One row for each combination; with `format=csv` as text/csv.",
            schema: usageSchema,
            type: "application/json, text/csv",
          },
        },
      },
      async ({ c, user, query }) => {
        const { by, in_app_username: username, format, ...rest } = query;
        const found = await intake().jobs.usage(user, {
          ...rest,
          username,
          by: by.map((name) => USAGE_BY[name]),
        });
        if (format === "json") return c.json({ object: "usage", data: found.map((row) => rowBody(row, by)) });
        c.header("Content-Type", "text/csv; charset=utf-8");
        const names = [...by, ...MEASURES];
        return c.body(csvOf([names, ...found.map((row) => Object.values(rowBody(row, by)))]));
      },
    ),
    route(
      {
        name: "listBudgets",
        method: "get",
        path: "/budgets",
        group: "Usage",
        summary: "Read what is left of your budgets",
        description:
          "Budgets in tokens that the host set for you: of all your jobs and, with `in_app_username`, of one of your people. What is being made counts with its expected price, then with what it cost. Empty: there is none.",
        scope: "usage:read",
        query: budgetQuerySchema,
        answers: { 200: { description: "Each budget.", schema: budgetListSchema } },
      },
      async ({ c, user, query: { in_app_username: username } }) => {
        const budgets = await intake().jobs.budgets(user, username);
        return c.json({ object: "list", data: budgets.map((one) => budgetBody(one, username ?? null)) });
      },
    ),
  ];
}
