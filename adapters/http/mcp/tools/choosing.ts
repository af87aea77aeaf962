import { z } from "zod";
import type { GatewayParts } from "../../jobs/gateway-parts.ts";
import { cataloguesOf, searchCatalogue } from "../../jobs/catalogue-choices.ts";
import { operationsIn } from "../../route/operations.ts";
import { catalogueQuerySchema, newJobSchema } from "../../route/requests.ts";
import { operationBody } from "../../resources/operation.ts";
import { factsResult } from "../session/results.ts";
import { type Tool, tool } from "../session/tool.ts";

/** What there is to choose from. */
export function choosingTools({ intake }: Pick<GatewayParts, "intake">): readonly Tool[] {
  const { commands, jobs } = intake();
  const catalogues = cataloguesOf(commands).data.map(({ id }) => id);

  return [
    tool(
      {
        name: "operations",
        title: "List what can be made",
        description:
          "Every operation in a line; with `operation`, that one with the JSON Schema of its input.",
        changes: false,
        schema: z.strictObject({ operation: newJobSchema.shape.operation.optional() }),
      },
      async ({ operation }, { asker: { locale } }) => {
        if (operation === undefined) {
          const all = operationsIn(commands).map((spec) => operationBody(spec, locale));
          const data = all.map(({ id, title, description }) => ({ id, title, description }));
          const lines = data.map(({ id, title, description }) => `${id}: ${title}. ${description}.`);
          return factsResult(lines.join("\n"), { object: "list", data });
        }
        const one = operationBody(jobs.operation(operation), locale);
        return factsResult(JSON.stringify(one.input_schema), one);
      },
    ),
    tool(
      {
        name: "choices",
        title: "Search a catalogue",
        description:
          "The templates, models and styles that fields with `x-catalogue` take: give a `value` of what is found.",
        changes: false,
        schema: catalogueQuerySchema.extend({
          catalogue: z.enum(catalogues).meta({ description: "As `x-catalogue` says." }),
        }),
      },
      async ({ catalogue, ...query }, { asker }) => {
        const found = await searchCatalogue(intake(), asker, catalogue, query);
        const lines = found.data.map(({ value, title }) => `${value}: ${title}`);
        return factsResult(lines.join("\n") || "Nothing was found.", found);
      },
    ),
  ];
}
