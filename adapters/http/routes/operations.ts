import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { operationsIn } from "../route/operations.ts";
import { operationBody, operationListSchema, operationSchema } from "../resources/operation.ts";
import { idOf, type Route, route } from "../route/route.ts";

/** What can be made. */
export function operationRoutes({ intake }: Pick<GatewayParts, "intake">): readonly Route[] {
  return [
    route(
      {
        name: "listOperations",
        method: "get",
        path: "/operations",
        group: "What can be made",
        summary: "List everything that can be made",
        answers: {
          200: { description: "All of it, with the schema of each input.", schema: operationListSchema },
        },
      },
      async ({ c, locale }) =>
        c.json({
          object: "list",
          data: operationsIn(intake().commands).map((spec) => operationBody(spec, locale)),
        }),
    ),
    route(
      {
        name: "readOperation",
        method: "get",
        path: "/operations/:id",
        group: "What can be made",
        summary: "Read what one of them takes",
        params: { id: "The operation's id, such as `video`." },
        answers: { 200: { description: "The operation.", schema: operationSchema } },
        problems: ["unknown_operation", "operation_off"],
      },
      async (call) => call.c.json(operationBody(intake().jobs.operation(idOf(call)), call.locale)),
    ),
  ];
}
