import type { OpenApi, OpenApiOperation, Parameter } from "../../../adapters/http/openapi/model.ts";
import type { Json } from "../../../src/common/json.ts";
import { hostileText, spoilt } from "./hostile.ts";
import { chance, type Draw, pick, type Values } from "./values.ts";

/** A request as it is sent. */
export interface Drawn {
  readonly method: string;
  /** Below `/v1`, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | FormData;
}

/** What requests are drawn with. */
export interface Known {
  readonly document: OpenApi;
  readonly values: Values;
  readonly token: string;
  /** Another partner's: theirs is not to be seen. */
  readonly stranger: string;
  /** What was made so far, by where it stands in a path. */
  readonly ids: readonly string[];
}

/** One that HTTP does not have: the line is closed on it at once, in the middle of a body. */
const NO_METHOD = "TRACE2";
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", NO_METHOD];

/** A request: in order, nearly so, or hostile in one place or many. */
export function drawnRequest(draw: Draw, known: Known): Drawn {
  const { document } = known;
  // What takes the most is drawn the most.
  const path = pick(draw, chance(draw, 30) ? ["/jobs", "/quotes"] : Object.keys(document.paths));
  const methods = document.paths[path] ?? {};
  const described = pick(draw, Object.keys(methods));
  const operation = methods[described];
  if (!operation) throw new Error(`${described} ${path} is not described.`);
  const method = chance(draw, 5) ? pick(draw, METHODS) : described.toUpperCase();
  const takesBody = method !== "GET" && method !== "HEAD" && method !== NO_METHOD;
  return {
    method,
    path: `${placeOf(draw, path, known)}${queryOf(draw, operation, known.values)}`,
    headers: headersOf(draw, operation, known),
    ...(takesBody && bodyOf(draw, operation, known.values)),
  };
}

function placeOf(draw: Draw, path: string, { ids }: Known): string {
  if (chance(draw, 2)) return `/${encodeURIComponent(hostileText(draw).toWellFormed()).slice(0, 500)}`;
  const part = () => {
    const known = ["jo", "video", "image", "video-templates", "edit-templates", ...ids];
    const text = chance(draw, 70) ? pick(draw, known) : hostileText(draw).slice(0, 2_000);
    return chance(draw, 3) ? "%E0%A4%A" : encodeURIComponent(text.toWellFormed()) || "%20";
  };
  return path.replaceAll(/\{\w+\}/g, part);
}

function queryOf(draw: Draw, { parameters }: OpenApiOperation, values: Values): string {
  const query = new URLSearchParams();
  // What takes no query does not read one: a link with marks of others' is no mistake.
  if (!parameters.some(({ in: place }) => place === "query")) return "";
  for (const { in: place, name, schema } of parameters) {
    if (place !== "query" || !chance(draw, 35)) continue;
    query.append(name, chance(draw, 60) ? textOf(values.of(schema)) : hostileText(draw));
    if (chance(draw, 5)) query.append(name, hostileText(draw));
  }
  if (chance(draw, 5)) query.append(hostileText(draw), hostileText(draw));
  const text = query.toString();
  if (chance(draw, 2)) return `?${text}&%zz=%`;
  return text && `?${text}`;
}

function headersOf(draw: Draw, { parameters }: OpenApiOperation, known: Known): Record<string, string> {
  const headers: Record<string, string> = {};
  const authorization = chance(draw, 92)
    ? `Bearer ${known.token}`
    : pick(draw, ["", "Bearer", "Bearer none", `Basic ${known.token}`, `Bearer ${known.stranger}`]);
  if (authorization) headers["authorization"] = authorization;
  for (const parameter of parameters) {
    if (parameter.in !== "header" || !(parameter.required || chance(draw, 15))) continue;
    const value = headerOf(draw, parameter, known.values);
    if (value !== undefined) headers[parameter.name] = value;
  }
  if (chance(draw, 5)) headers["accept-language"] = pick(draw, ["de", "xx", "*;q=9", "de,,;q="]);
  if (chance(draw, 3)) headers["x-request-id"] = printable(hostileText(draw));
  if (chance(draw, 2)) headers["origin"] = "https://elsewhere.example";
  return headers;
}

function headerOf(draw: Draw, { name, schema }: Parameter, values: Values): string | undefined {
  if (/^prefer$/i.test(name)) return pick(draw, ["wait=0", "wait=1", "wait=x", "respond-async", 'wait="1"']);
  if (/^range$/i.test(name)) return pick(draw, ["bytes=0-1", "bytes=9-1", "bytes=-1", "bytes=", "lines=1-2"]);
  if (chance(draw, 15)) return chance(draw, 50) ? undefined : printable(hostileText(draw));
  if (/^idempotency-key$/i.test(name)) return `key-${draw(1_000_000)}`;
  return printable(textOf(values.of(schema)));
}

const textOf = (value: Json) => (typeof value === "string" ? value : JSON.stringify(value));

/** What fetch takes as a header. */
const printable = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 1_000);

function bodyOf(draw: Draw, { requestBody }: OpenApiOperation, values: Values): Pick<Drawn, "body"> {
  const schema = requestBody?.content["application/json"]?.schema;
  if (!schema) return chance(draw, 90) ? {} : { body: Buffer.from(hostileText(draw)) };
  const fit = values.of(schema);
  const value = chance(draw, 35) ? fit : spoilt(draw, fit);
  if (requestBody?.content["multipart/form-data"] && chance(draw, 25)) return { body: formOf(draw, value) };
  const text = JSON.stringify(value);
  const kind = draw(100);
  if (kind < 4) return { body: text.slice(0, draw(text.length)) };
  if (kind < 5) return { body: "[".repeat(5_000) };
  if (kind < 6) return { body: `${text.slice(0, -1)},"more":"${"x".repeat(700_000)}"}` };
  if (kind < 7) return { body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) };
  if (kind < 9) return { body: hostileText(draw).toWellFormed() };
  return { body: text };
}

/** The same as a form: files as parts, lists as several of a name. */
function formOf(draw: Draw, value: Json): FormData {
  const form = new FormData();
  const add = (name: string, part: Json): void => {
    if (Array.isArray(part)) for (const one of part as readonly Json[]) add(name, one);
    else if (typeof part === "string" && part.length > 500 && chance(draw, 80))
      form.append(name, new Blob([Buffer.from(part, "base64")]), "photo.jpg");
    else form.append(name, typeof part === "string" ? part.toWellFormed() : JSON.stringify(part));
  };
  if (typeof value !== "object" || value === null) return form;
  for (const [name, part] of Object.entries(value as { readonly [name: string]: Json }))
    if (name === "input" && typeof part === "object" && part !== null)
      for (const [field, inner] of Object.entries(part as { readonly [name: string]: Json }))
        add(field, inner);
    else add(name, part);
  return form;
}
