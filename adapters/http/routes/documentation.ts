import { z } from "zod";
import { VERSION } from "../../../src/seam/version.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { baseOf } from "../access/access.ts";
import { docsPage } from "../docs/page.ts";
import { STYLE_HASH } from "../docs/style.ts";
import type { Markup } from "../docs/text.ts";
import { openApiOf } from "../openapi/document.ts";
import type { OpenApi } from "../openapi/model.ts";
import { operationsIn } from "../route/operations.ts";
import { openRoute, type Route } from "../route/route.ts";

/** The page is read, and does nothing. */
const PAGE_POLICY = `default-src 'none'; style-src ${STYLE_HASH}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** What is said of all routes, for programs and for people. */
export function documentationRoutes(
  { host, intake }: Pick<GatewayParts, "host" | "intake">,
  allRoutes: () => readonly Route[],
): readonly Route[] {
  let made: OpenApi | undefined;
  const document = () =>
    (made ??= openApiOf({
      routes: allRoutes(),
      operations: operationsIn(intake().commands),
      version: VERSION,
    }));

  let drawn: { readonly base: string; readonly page: Markup } | undefined;
  /** Anybody may ask for it, and drawing it takes far longer than anything else that they may. */
  const pageAt = (base: string) => {
    if (drawn?.base !== base) drawn = { base, page: docsPage(document(), base) };
    return drawn.page;
  };

  return [
    openRoute(
      {
        name: "readOpenApi",
        method: "get",
        path: "/openapi.json",
        group: "About",
        summary: "Read this as OpenAPI",
        answers: {
          200: {
            description: "OpenAPI 3.1.",
            schema: z.looseObject({ openapi: z.string().meta({ example: "3.1.1" }) }),
          },
        },
      },
      async ({ c }) => c.json(document()),
    ),
    openRoute(
      {
        name: "readDocs",
        method: "get",
        path: "/docs",
        group: "About",
        summary: "Read this as a page",
        answers: { 200: { description: "The page.", schema: z.string(), type: "text/html" } },
      },
      async ({ c }) => {
        c.header("Content-Security-Policy", PAGE_POLICY);
        return c.html(pageAt(`${baseOf(c, host.config)}/v1`));
      },
    ),
  ];
}
