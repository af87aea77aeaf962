import { z } from "zod";
import { MEASURES } from "../../../src/seam/access/usage.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { csvOf } from "../../../src/seam/text/csv.ts";
import { USAGE_BY, usageQuerySchema } from "../route/requests.ts";
import { rowBody, usageRowSchema } from "../resources/usage.ts";
import { type Route, route } from "../route/route.ts";

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
  ];
}
