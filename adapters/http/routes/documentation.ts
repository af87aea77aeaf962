import { z } from "zod";
import { VERSION } from "../../../src/seam/version.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { openApiOf } from "../openapi/document.ts";
import { markdownOf } from "../openapi/markdown.ts";
import type { OpenApi } from "../openapi/model.ts";
import { operationsIn } from "../route/operations.ts";
import { openRoute, type Route } from "../route/route.ts";
import { referencePage } from "./reference-page.ts";

/** What is said of all routes, for programs and for people. */
export function documentationRoutes(
  { intake }: Pick<GatewayParts, "intake">,
  allRoutes: () => readonly Route[],
): readonly Route[] {
  let made: OpenApi | undefined;
  const document = () =>
    (made ??= openApiOf({
      routes: allRoutes(),
      operations: operationsIn(intake().commands),
      version: VERSION,
    }));

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
        problems: ["page_unbuilt"],
      },
      ({ c }) => referencePage(c),
    ),
    openRoute(
      {
        name: "readDocsAsMarkdown",
        method: "get",
        path: "/docs.md",
        group: "About",
        summary: "Read this as Markdown",
        answers: { 200: { description: "The same.", schema: z.string(), type: MARKDOWN } },
      },
      async ({ c }) => c.body(markdownOf(document()), 200, { "Content-Type": `${MARKDOWN}; charset=utf-8` }),
    ),
  ];
}

const MARKDOWN = "text/markdown";
