import type { CatalogueName, CommandSpec } from "../../../src/chat/fields.ts";
import { ReelayError } from "../../../src/errors.ts";
import type { GatewayParts } from "../app.ts";
import { catalogueQuerySchema } from "../requests.ts";
import { catalogueListSchema, choiceBody, choiceListSchema } from "../resources/operation.ts";
import { type Route, route } from "../route.ts";
import { originOf } from "../submissions.ts";

/** A field whose values come from a catalogue; variants of its entries come by another one. */
interface Use {
  readonly operation: string;
  readonly field: string;
  readonly catalogue: CatalogueName;
  readonly within: string | undefined;
}

/** What can be chosen from. */
export function catalogueRoutes({ intake }: Pick<GatewayParts, "intake">): readonly Route[] {
  return [
    route(
      {
        name: "listCatalogues",
        method: "get",
        path: "/catalogues",
        group: "What can be made",
        summary: "List what can be chosen from",
        answers: { 200: { description: "All catalogues.", schema: catalogueListSchema } },
      },
      async ({ c }) => {
        const uses = usesIn(intake().commands);
        const ids = [...new Set(uses.map(({ catalogue }) => catalogue))];
        const data = ids.map((id) => ({
          id,
          used_by: uses
            .filter(({ catalogue }) => catalogue === id)
            .map(({ operation, field }) => ({ operation, field })),
        }));
        return c.json({ object: "list", data });
      },
    ),
    route(
      {
        name: "searchCatalogue",
        method: "get",
        path: "/catalogues/:id",
        group: "What can be made",
        summary: "Search a catalogue",
        description: "The service's templates, models and styles, best matches first.",
        params: { id: "The catalogue's id, such as `video-templates`." },
        query: catalogueQuerySchema,
        answers: { 200: { description: "One page.", schema: choiceListSchema } },
        problems: ["not_found", "not_connected"],
      },
      async (call) => {
        const { limit, cursor, search, of } = call.query;
        const id = call.c.req.param("id");
        const use = usesIn(intake().commands).find(
          ({ catalogue, within }) => catalogue === id && (within !== undefined) === (of !== undefined),
        );
        if (!use) throw new ReelayError("not_found");
        const { operation, field, within } = use;
        const values = within === undefined || of === undefined ? {} : { [within]: of };
        const found = await intake().suggest(originOf(call), operation, field, search, values);
        const end = cursor + limit;
        return call.c.json({
          object: "list",
          data: found.slice(cursor, end).map(choiceBody),
          next_cursor: end < found.length ? String(end) : null,
        });
      },
    ),
  ];
}

function usesIn(commands: readonly CommandSpec[]): Use[] {
  return commands.flatMap(({ name: operation, fields }) =>
    fields.flatMap(({ name: field, catalogue, within }) =>
      catalogue === undefined ? [] : [{ operation, field, catalogue, within }],
    ),
  );
}
