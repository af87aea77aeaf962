import { isConditional, type RouteFace } from "../route/route.ts";
import { API_VERSION, VERSION_HEADER } from "../route/version.ts";
import type { Parameter } from "./model.ts";
import { schemaOf } from "./sample.ts";
import type { Schemas } from "./schemas.ts";

const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A name of yours for this very request, such as a UUID. Whoever repeats the request with it gets the first answer, for 24 hours.",
  required: true,
  schema: { type: "string", minLength: 1, maxLength: 255, examples: ["order-4711"] },
};

const IF_NONE_MATCH = {
  "If-None-Match":
    "The `ETag` of an answer that you have: what has not changed since is answered with 304 and no body.",
};

const VERSION: Parameter = {
  name: VERSION_HEADER,
  in: "header",
  description: "The version of this interface that you were written for. Any other than this one is refused.",
  required: false,
  schema: { type: "string", enum: [API_VERSION] },
};

/** What a route takes beside its body. */
export function parametersOf(route: RouteFace, schemas: Schemas): Parameter[] {
  return [
    ...textsOf("path", route.params),
    ...textsOf("header", route.headers),
    ...textsOf("header", isConditional(route) ? IF_NONE_MATCH : {}),
    ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    VERSION,
    ...queryOf(route, schemas),
  ];
}

function textsOf(place: "path" | "header", described: Readonly<Record<string, string>> = {}): Parameter[] {
  return Object.entries(described).map(([name, description]) => ({
    name,
    in: place,
    description,
    required: place === "path",
    schema: { type: "string" },
  }));
}

function queryOf({ query }: RouteFace, schemas: Schemas): Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.of(query, "query");
  return Object.entries(properties).map(([name, property]) => {
    const { description = "", ...schema } = schemaOf(property);
    return { name, in: "query", description, required: required.includes(name), schema };
  });
}
