import type { Json } from "../../../src/common/json.ts";
import type { CodeSample, Content, OpenApiOperation, Parameter } from "./model.ts";

type Called = Omit<OpenApiOperation, "x-codeSamples">;

/** More would say no more. */
const QUERIES_SHOWN = 2;

/**
 * A call as one types it, where Reelay is reached in `REELAY_URL` and the token in `REELAY_TOKEN`; parts of the path are
 * in variables, too. What takes a form is also called with one.
 */
export function codeSamplesOf(method: string, path: string, operation: Called): CodeSample[] {
  const { requestBody } = operation;
  const body = bodyOf(requestBody?.content ?? {});
  const curl = { lang: "Shell", label: "curl", source: curlOf(method, path, operation, jsonOf(body)) };
  if (!requestBody?.content["multipart/form-data"]) return [curl];
  const form = {
    lang: "Shell",
    label: "curl, as a form",
    source: curlOf(method, path, operation, formOf(body)),
  };
  return [curl, form];
}

/** The same call with another body. */
function curlOf(method: string, path: string, operation: Called, body: readonly string[]): string {
  const { parameters, security, responses } = operation;
  const address = `$REELAY_URL/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}`;
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
function bodyOf(content: Content): Json | undefined {
  const { example, examples = {} } = content["application/json"] ?? {};
  const [first] = Object.values(examples);
  return example ?? (first && "value" in first ? first.value : undefined);
}

function jsonOf(body: Json | undefined): string[] {
  if (body === undefined) return [];
  const text = JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
  return ['-H "Content-Type: application/json"', `-d ${quoted(text)}`];
}

function formOf(body: Json | undefined): string[] {
  const { operation, input } = body as { readonly operation: string; readonly input: Record<string, Json> };
  const fields = Object.entries({ operation, ...input });
  return fields.map(([name, value]) => `-F ${quoted(`${name}=${partOf(value)}`)}`);
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
