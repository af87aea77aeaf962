import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { Json } from "../../../src/common/json.ts";
import type { ErrorCode } from "../../../src/common/errors.ts";
import type { Route } from "../route/route.ts";
import { titleOf } from "../access/problem.ts";
import { STATUS_OF } from "../access/status.ts";
import { bodyOf } from "./bodies.ts";
import { codeSamplesOf } from "./code-samples.ts";
import { type DocumentedInputs, inputsOf } from "./inputs.ts";
import { INTRODUCTION } from "./introduction.ts";
import type { Example, OpenApi, OpenApiOperation } from "./model.ts";
import { parametersOf } from "./parameters.ts";
import { problemExample, problemsOf } from "./problems.ts";
import { HEADERS, responsesOf } from "./responses.ts";
import { Schemas } from "./schemas.ts";
import { tagsOf } from "./tags.ts";
import { webhooksOf } from "./webhooks.ts";

/** What a document is about. */
export interface Described {
  readonly routes: readonly Route[];
  /** What can be made. */
  readonly operations: readonly CommandSpec[];
  /** Reelay's. */
  readonly version: string;
}

/** The OpenAPI document of the gateway: derived from its routes, so that it cannot say anything else. */
export function openApiOf({ routes, operations, version }: Described): OpenApi {
  const schemas = new Schemas();
  const inputs = inputsOf(operations, schemas);
  const groups = new Set(routes.map(({ group }) => group));
  const examples = Object.fromEntries(CODES.map((code) => [code, exampleOf(code)]));
  const refusals = new Set(routes.flatMap((route) => [...problemsOf(route).values()].flat()));
  return {
    openapi: "3.1.1",
    info: {
      title: "Reelay",
      version,
      description: INTRODUCTION.map(({ title, text }) => `## ${title}\n\n${text.join("\n\n")}`).join("\n\n"),
      contact: { name: "Whoever runs this Reelay" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/v1" }],
    tags: tagsOf(groups, examples),
    paths: pathsOf(routes, schemas, inputs),
    webhooks: webhooksOf(schemas),
    components: {
      schemas: schemas.components,
      examples: Object.fromEntries([...refusals].map((code) => [code, exampleOf(code)])),
      headers: HEADERS,
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A token of yours, with its scopes." },
        signature: {
          type: "apiKey",
          in: "header",
          name: "webhook-signature",
          description: "Made with a secret of yours, by Standard Webhooks.",
        },
      },
    },
  };
}

/** Everything that a request can be refused with. */
const CODES = Object.keys(STATUS_OF) as ErrorCode[];

function exampleOf(code: ErrorCode): Example {
  // Written without what is undefined, it is JSON.
  return { summary: titleOf(code), value: problemExample(code) as unknown as Json };
}

function pathsOf(routes: readonly Route[], schemas: Schemas, inputs: DocumentedInputs): OpenApi["paths"] {
  const byPath = Map.groupBy(routes, ({ path }) => path.replaceAll(/:(\w+)/g, "{$1}"));
  return Object.fromEntries(
    [...byPath].map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map((route) => [route.method, operationOf(route, path, schemas, inputs)])),
    ]),
  );
}

/** Scopes are said in words: the scheme of a plain token has none. */
function tokenOf({ open, scope }: Route): string {
  if (open) return "Takes no token.";
  return scope === undefined ? "Takes any token of yours." : `Takes a token for \`${scope}\`.`;
}

function wordsOf({ description, deprecated }: Route): readonly string[] {
  const going = deprecated && `Goes on ${deprecated.until}. ${deprecated.instead}`;
  return [going, description].filter((words) => words !== undefined);
}

function operationOf(
  route: Route,
  path: string,
  schemas: Schemas,
  inputs: DocumentedInputs,
): OpenApiOperation {
  const operation = {
    operationId: route.name,
    tags: [route.group],
    summary: route.summary,
    description: [...wordsOf(route), tokenOf(route)].join(" "),
    ...(route.deprecated && { deprecated: true as const }),
    security: route.open ? [] : [{ token: [] as const }],
    parameters: parametersOf(route, schemas),
    ...bodyOf(route, schemas, inputs),
    responses: responsesOf(route, schemas),
  };
  return { ...operation, "x-codeSamples": codeSamplesOf(route.method, path, operation) };
}
