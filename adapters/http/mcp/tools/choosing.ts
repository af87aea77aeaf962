import { z } from "zod";
import type { GatewayParts } from "../../jobs/gateway-parts.ts";
import { cataloguesOf, searchCatalogue } from "../../jobs/catalogue-choices.ts";
import { operationsIn } from "../../route/operations.ts";
import { catalogueQuerySchema, newJobSchema } from "../../route/requests.ts";
import { choiceSchema, operationBody, operationSchema } from "../../resources/operation.ts";
import { factsResult } from "../session/results.ts";
import { type Tool, tool } from "../session/tool.ts";

const foundSchema = z.object({
  data: z.array(operationSchema.pick({ id: true, title: true, description: true })),
});

/** What there is to choose from. */
export function choosingTools({ intake }: Pick<GatewayParts, "intake">): readonly Tool[] {
  const { commands, jobs } = intake();
  const catalogues = cataloguesOf(commands).data.map(({ id }) => id);

  return [
    tool(
      {
        name: "find",
        title: "Find what can be made",
        description: "Operations in a line each: all, or those that have every word.",
        changes: false,
        schema: z.strictObject({
          words: z.string().max(200).default("").meta({ example: "photo video" }),
        }),
        facts: foundSchema,
      },
      async ({ words }, { asker: { locale } }) => {
        const all = operationsIn(commands).map((spec) => operationBody(spec, locale));
        const data = all
          .map(({ id, title, description }) => ({ id, title, description }))
          .filter((one) => hasAll(Object.values(one).join(" "), words));
        const lines = data.map(({ id, title, description }) => `${id}: ${title}. ${description}.`);
        return factsResult(lines.join("\n") || "Nothing was found.", { object: "list", data });
      },
    ),
    tool(
      {
        name: "describe",
        title: "Describe an operation",
        description: "The JSON Schema of its `input`, with an example.",
        changes: false,
        schema: z.strictObject({
          operation: newJobSchema.shape.operation.meta({ description: "As `find` tells." }),
        }),
        facts: operationSchema.pick({ id: true, input_schema: true, example: true }),
      },
      async ({ operation }, { asker: { locale } }) => {
        const one = operationBody(jobs.operation(operation), locale);
        return factsResult(JSON.stringify(one.input_schema), one);
      },
    ),
    tool(
      {
        name: "choices",
        title: "Search a catalogue",
        description: "What fields with `x-catalogue` take: give a `value` of what is found.",
        changes: false,
        schema: catalogueQuerySchema.extend({ catalogue: z.enum(catalogues) }),
        facts: z.object({ data: z.array(choiceSchema.pick({ value: true, title: true })) }),
      },
      async ({ catalogue, ...query }, { asker }) => {
        const found = await searchCatalogue(intake(), asker, catalogue, query);
        const lines = found.data.map(({ value, title }) => `${value}: ${title}`);
        return factsResult(lines.join("\n") || "Nothing was found.", found);
      },
    ),
  ];
}

/** Whether a text has every word, wherever it stands. */
function hasAll(text: string, words: string): boolean {
  const within = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word));
}
