import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { OpenApi, OpenApiOperation, Parameter } from "../../adapters/http/openapi/model.ts";

/** What HTTP itself, caches and browsers are told: no document lists it. */
const GENERAL =
  /^(access-control-.*|content-.*|cache-control|date|vary|etag|last-modified|accept-ranges|connection|keep-alive|transfer-encoding|cross-origin-.*|origin-agent-cluster|referrer-policy|x-(?!request-id).*)$/;

/** A document that values are checked against. */
export interface CheckedDocument {
  /** Fails with a sentence where a value does not fit the schema at a place of the document. */
  readonly fits: (value: unknown, ...place: readonly string[]) => void;
}

const known = new Map<string, CheckedDocument>();

/**
 * Compiled once for each text that it is written in: that takes longer than most of what is checked.
 * @param document in which answers may hold nothing that it does not describe: fields, unlike in public, are closed
 */
export function checkedDocument(document: OpenApi): CheckedDocument {
  const written = JSON.stringify(document);
  const checked = known.get(written) ?? compiled(document);
  known.set(written, checked);
  return checked;
}

function compiled(document: OpenApi): CheckedDocument {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(closed(document) as OpenApi, "document");
  const validators = new Map<string, ValidateFunction>();
  return {
    fits(value, ...place) {
      const pointer = place.map((step) =>
        encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")),
      );
      const $ref = `document#/${pointer.join("/")}`;
      const validate = validators.get($ref) ?? ajv.compile({ $ref });
      validators.set($ref, validate);
      if (!validate(value))
        throw new Error(`${place.join(" ")}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
    },
  };
}

/** Checks every call of the gateway and its answer against the document, and fails where they differ. */
export function checkedFetch(document: OpenApi, send: typeof fetch): typeof fetch {
  const { fits } = checkedDocument(document);
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const path = pathOf(document, pathname);
    const method = request.method.toLowerCase();
    const operation = path === undefined ? undefined : document.paths[path]?.[method];
    const body = isJson(request) && typeof init?.body === "string" ? init.body : undefined;
    const answer = await send(input, init);
    if (path === undefined || !operation) return answer;

    const place = ["paths", path, method];
    // What is wrong with a request that was refused is often just the point of it.
    if (answer.ok) {
      checkParameters(operation.parameters, request.headers, searchParams);
      if (body !== undefined)
        fits(JSON.parse(body), ...place, "requestBody", "content", "application/json", "schema");
    }
    await checkAnswer(operation, answer, [...place, "responses", String(answer.status)], fits);
    return answer;
  };
}

function checkParameters(parameters: readonly Parameter[], headers: Headers, query: URLSearchParams): void {
  const queries = new Set(parameters.filter(({ in: place }) => place === "query").map(({ name }) => name));
  for (const name of query.keys())
    if (!queries.has(name)) throw new Error(`The query ${name} is not described.`);
  for (const { in: place, name, required } of parameters)
    if (place === "header" && required && !headers.has(name))
      throw new Error(`The header ${name} is not required after all.`);
}

async function checkAnswer(
  { operationId, responses }: OpenApiOperation,
  answer: Response,
  place: readonly string[],
  fits: CheckedDocument["fits"],
): Promise<void> {
  const described = responses[String(answer.status)];
  if (!described)
    throw new Error(`${operationId} does not describe ${answer.status}: ${await answer.clone().text()}`);
  const names = new Set(Object.keys(described.headers).map((name) => name.toLowerCase()));
  for (const name of answer.headers.keys())
    if (!GENERAL.test(name) && !names.has(name))
      throw new Error(`${operationId} ${answer.status} does not describe the header ${name}.`);
  const type = mimeOf(answer);
  const types = Object.keys(described.content ?? {});
  if ((type || types.length > 0) && !types.some((one) => covers(one, type)))
    throw new Error(`${operationId} ${answer.status} does not describe the content type ${type}.`);
  if (!isJson(answer)) return;
  const body = (await answer.clone().json()) as { readonly code?: string };
  fits(body, ...place, "content", type, "schema");
  if (!answer.ok && !Object.hasOwn(described.content?.[type]?.examples ?? {}, body.code ?? ""))
    throw new Error(`${operationId} ${answer.status} does not describe the problem ${body.code}.`);
}

/** Whether a content type of a document, such as `image/*`, is that of a body. */
function covers(described: string, type: string): boolean {
  return described.endsWith("/*") ? type.startsWith(described.slice(0, -1)) : described === type;
}

/** The path of the document that an address is at. */
function pathOf({ paths }: OpenApi, pathname: string): string | undefined {
  const fitting = Object.keys(paths).filter((path) =>
    new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`).test(pathname),
  );
  // `/jobs/all` before `/jobs/{id}`.
  return fitting.find((path) => !path.includes("{")) ?? fitting[0];
}

function mimeOf({ headers }: Request | Response): string {
  return (headers.get("content-type") ?? "").split(";", 1).join("").trim();
}

function isJson(message: Request | Response): boolean {
  return /^application\/(problem\+)?json$/.test(mimeOf(message));
}

/** The same, but that an object may hold nothing beside what it describes, where nothing else is said. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]));
  const isObject = inner["type"] === "object" && "properties" in inner;
  return isObject && !("additionalProperties" in inner) ? { ...inner, additionalProperties: false } : inner;
}
