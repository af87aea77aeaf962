import { z } from "zod";
import { MEASURES, type UsageRow } from "../../../src/chat/usage.ts";
import type { GatewayParts } from "../app.ts";
import { csvOf } from "../../../src/chat/csv.ts";
import { USAGE_BY, type UsageBy, usageQuerySchema } from "../requests.ts";
import { type Route, route } from "../route.ts";

const usageSchema = z
  .object({
    object: z.literal("usage"),
    data: z.array(
      z.object({
        platform: z.string().exactOptional().meta({ example: "acme" }),
        in_app_username: z
          .string()
          .nullable()
          .exactOptional()
          .meta({ description: "Null for people who were forgotten." }),
        operation: z.string().exactOptional().meta({ example: "video" }),
        day: z.string().exactOptional().meta({ example: "2026-01-31" }),
        jobs: z.int().meta({ example: 12 }),
        successes: z.int().meta({ example: 11 }),
        tokens: z.number().meta({ description: "Charged.", example: 29.7 }),
        seconds: z
          .number()
          .nullable()
          .meta({ description: "From request to result, on average.", example: 74.2 }),
      }),
    ),
  })
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

function rowBody(row: UsageRow, by: readonly UsageBy[]) {
  return {
    ...Object.fromEntries(by.map((name) => [name, row[USAGE_BY[name]] ?? null])),
    ...Object.fromEntries(MEASURES.map((name) => [name, row[name]])),
  };
}
