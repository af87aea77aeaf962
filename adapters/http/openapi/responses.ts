import { maxHeaderSize } from "node:http";
import { type ErrorCode, ERRORS } from "../../../src/common/errors.ts";
import { titleOf } from "../access/problem.ts";
import { problemSchema } from "../resources/problem.ts";
import { isConditional, type RouteAnswer, type RouteFace } from "../route/route.ts";
import type { Content, Header, Reference, Response } from "./model.ts";
import { problemsOf } from "./problems.ts";
import { sampleOf } from "./sample.ts";
import type { Schemas } from "./schemas.ts";

const text = (description: string): Header => ({ description, schema: { type: "string" } });

/** Headers that several answers have. */
export const HEADERS = {
  "X-Request-Id": text(
    "The id of this request, in Reelay's log too. Yours, where you sent up to 64 of `A-Z a-z 0-9 . _ -` that are not a key and do not look like one: a long string drawn at random does, a UUID does not.",
  ),
  RateLimit: text('What is left: `"partner";r=<requests>;t=<seconds until there are more>`.'),
  "RateLimit-Policy": text('What may be sent: `"partner";q=<requests>;w=<seconds>`.'),
  "Reelay-Version": text("The version of this interface that the answer is of: a day."),
  "Reelay-Mode": text(
    "`live`; `test` for a test token: nothing of it reaches the service, and nothing is charged.",
  ),
  "Retry-After": text("Seconds after which it may be tried again."),
  "WWW-Authenticate": text("`Bearer`."),
} as const satisfies Record<string, Header>;

/** What answers of a route that is to go have, too. */
const LEAVING = {
  Deprecation: text("Since when this route is to go: `@` and seconds since 1970 (RFC 9745)."),
  Sunset: text("From when it may be gone (RFC 8594)."),
  Link: text("Where that is explained."),
};

const ETAG = "Changes with the answer; to be sent as `If-None-Match` next time.";

/** What Node says by itself, before anything here hears of the request. */
const TOO_LONG: Response = {
  description: `The headers are longer than ${maxHeaderSize / 1024} KiB together; the connection ends.`,
  headers: {},
};

/** Everything that a route may answer, by status code. */
export function responsesOf(route: RouteFace, schemas: Schemas): Record<string, Response> {
  const answers = Object.entries(route.answers).map(([status, answer]) => [
    status,
    responseOf(route, Number(status), answer, schemas),
  ]);
  const problems = [...problemsOf(route)].map(([status, codes]) => [
    String(status),
    refusalOf(route, status, codes, schemas),
  ]);
  return {
    ...(Object.fromEntries([...answers, ...problems]) as Record<string, Response>),
    ...(isConditional(route) && { 304: unchanged(route) }),
    431: TOO_LONG,
  };
}

function responseOf(route: RouteFace, status: number, answer: RouteAnswer, schemas: Schemas): Response {
  const said = { ...answer.headers, ...(isConditional(route) && { ETag: ETAG }) };
  const own = Object.entries(said).map(([name, description]) => [name, text(description)]);
  const headers = { ...commonHeaders(route, status), ...Object.fromEntries(own) };
  return { description: answer.description, headers, ...contentOf(answer, schemas) };
}

function unchanged(route: RouteFace): Response {
  const headers = { ...commonHeaders(route, 304), ETag: text(ETAG) };
  return { description: "It is as it was when it had the `ETag` that `If-None-Match` says.", headers };
}

/** JSON is described; of anything else the type says enough. */
function contentOf(
  { schema, type = "application/json", example: otherwise }: RouteAnswer,
  schemas: Schemas,
): { readonly content?: Content } {
  if (!schema) return {};
  const types = type.split(", ").map((name) => {
    if (name !== "application/json") return [name, {}] as const;
    const written = schemas.of(schema, "output");
    return [name, { schema: written, example: sampleOf(written, schemas.components, otherwise) }] as const;
  });
  return { content: Object.fromEntries(types) };
}

function refusalOf(
  route: RouteFace,
  status: number,
  codes: readonly ErrorCode[],
  schemas: Schemas,
): Response {
  const examples = codes.map((code): [string, Reference] => [
    code,
    { $ref: `#/components/examples/${code}` },
  ]);
  const problem = {
    schema: schemas.of(problemSchema, "output"),
    examples: Object.fromEntries(examples),
  };
  return {
    description: `${codes.map(titleOf).join(". ")}.`,
    headers: { ...commonHeaders(route, status), ...(codes.some(mayRetry) && referTo("Retry-After")) },
    content: { "application/problem+json": problem },
  };
}

function mayRetry(code: ErrorCode): boolean {
  return ERRORS[code].retryable;
}

function commonHeaders({ open, deprecated }: RouteFace, status: number): Response["headers"] {
  const ofAll = { ...referTo("X-Request-Id", "Reelay-Version", "Reelay-Mode"), ...(deprecated && LEAVING) };
  if (status === 401) return { ...ofAll, ...referTo("WWW-Authenticate") };
  return open ? ofAll : { ...ofAll, ...referTo("RateLimit", "RateLimit-Policy") };
}

function referTo(...names: (keyof typeof HEADERS)[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
