import { z } from "zod";
import { MEASURES, type UsageRow } from "../../../src/seam/access/usage.ts";
import { USAGE_BY, type UsageBy } from "../route/requests.ts";

/** The jobs that are alike in what they are summed by. */
export const usageRowSchema = z.object({
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
  seconds: z.number().nullable().meta({ description: "From request to result, on average.", example: 74.2 }),
});

/** A row as partners read it. */
export function rowBody(row: UsageRow, by: readonly UsageBy[]) {
  return {
    ...Object.fromEntries(by.map((name) => [name, row[USAGE_BY[name]] ?? null])),
    ...Object.fromEntries(MEASURES.map((name) => [name, row[name]])),
  };
}
