import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { cataloguesOf, searchCatalogue } from "../jobs/catalogue-choices.ts";
import { catalogueQuerySchema } from "../route/requests.ts";
import { catalogueListSchema, choiceListSchema } from "../resources/operation.ts";
import { idOf, type Route, route } from "../route/route.ts";

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
      async ({ c }) => c.json(cataloguesOf(intake().commands)),
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
        problems: ["not_found", "not_connected", "blocked", "network", "maintenance"],
      },
      async (call) => call.c.json(await searchCatalogue(intake(), call, idOf(call), call.query)),
    ),
  ];
}
