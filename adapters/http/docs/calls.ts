import type { Json } from "../../../src/common/json.ts";
import type { Content, OpenApiOperation, Parameter } from "../openapi/model.ts";

/** Where and how something is called. */
export interface ExampleCall {
  /** The server's address with `/v1`. */
  readonly base: string;
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** More would say no more. */
const QUERIES_SHOWN = 2;

/** A call as one types it, with the token in `REELAY_TOKEN`; parts of the path are in variables, too. */
export function curlOf(call: ExampleCall, body: Json | undefined = bodyOf(call.operation)): string {
  return lines(call, body === undefined ? [] : jsonOf(body));
}

/** The same as a form; undefined where it takes none. */
export function formCurlOf(call: ExampleCall): string | undefined {
  const content = call.operation.requestBody?.content ?? {};
  if (!content["multipart/form-data"]) return undefined;
  const { operation, input } = bodyOf(call.operation) as { operation: string; input: Record<string, Json> };
  const fields = Object.entries({ operation, ...input });
  return lines(
    call,
    fields.map(([name, value]) => `-F ${quoted(`${name}=${partOf(value)}`)}`),
  );
}

function lines({ base, method, path, operation }: ExampleCall, body: readonly string[]): string {
  const { parameters, security, responses } = operation;
  const address = base + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const query = parameters.filter(saysSomething).slice(0, QUERIES_SHOWN);
  const search = query.map(({ name, schema }) => `${name}=${String(schema.examples?.[0])}`).join("&");
  const headers = parameters.filter((one) => one.in === "header" && one.required);
  // curl asks with GET by itself, and with POST whatever has a body.
  const isPlain = method === "get" || (method === "post" && body.length > 0);
  return [
    `curl ${isPlain ? "" : `-X ${method.toUpperCase()} `}"${address}${search && `?${search}`}"`,
    ...(security.length > 0 ? ['-H "Authorization: Bearer $REELAY_TOKEN"'] : []),
    ...headers.map(({ name, schema }) => `-H "${name}: ${String(schema.examples?.[0])}"`),
    ...body,
    ...outputOf(responses["200"]?.content ?? {}),
  ].join(" \\\n  ");
}

/** Whether a part of the query is worth showing: an example that is not what it is anyway. */
function saysSomething({ in: place, schema: { examples, default: standard } }: Parameter): boolean {
  return place === "query" && examples !== undefined && examples[0] !== standard;
}

/** What a request may carry as JSON: the first example. */
function bodyOf({ requestBody }: OpenApiOperation): Json | undefined {
  const { example, examples = {} } = requestBody?.content["application/json"] ?? {};
  const [first] = Object.values(examples);
  return example ?? (first && "value" in first ? first.value : undefined);
}

function jsonOf(body: Json): string[] {
  const text = JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
  return ['-H "Content-Type: application/json"', `-d ${quoted(text)}`];
}

/** How what is no text is taken: as it comes, or into a file. */
function outputOf(content: Content): string[] {
  const [type = "application/json"] = Object.keys(content);
  if (type === "text/event-stream") return ["-N"];
  return type.startsWith("video/") ? ["-o result.mp4"] : [];
}

/** What is a file at an address is one of your own in a form. */
function partOf(value: Json): string {
  const [one = ""] = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const text = typeof one === "string" ? one : JSON.stringify(one);
  return URL.canParse(text) ? `@${text.slice(text.lastIndexOf("/") + 1)}` : text;
}

function quoted(text: string): string {
  return /^[\w@.=:/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
