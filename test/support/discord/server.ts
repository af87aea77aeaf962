import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { RESTJSONErrorCodes } from "discord.js";
import { Hono, type Context } from "hono";
import { once } from "node:events";
import { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Cdn } from "./cdn.ts";
import type { DiscordLimits } from "./limits.ts";
import type { Upload } from "./messages.ts";
import { Refusal, tooLarge, unknownRoute } from "./refusal.ts";
import type { RestRequest } from "./request.ts";
import type { Outcome, RestApi } from "./rest-api.ts";

interface Env {
  Bindings: HttpBindings;
}

/** Where the fake listens. */
export interface FakeServer {
  readonly url: string;
  readonly http: Server;
  stop(): Promise<void>;
}

/** Serves the HTTP API and the files on a free port of this machine. */
export async function serve(api: RestApi, cdn: Cdn, limits: DiscordLimits): Promise<FakeServer> {
  // discord.js writes `@original` with an escape.
  const app = new Hono<Env>({ getPath: ({ url }) => decodeURIComponent(new URL(url).pathname) });
  app.get("/cdn/*", (context) => {
    const url = new URL(context.req.url);
    const file = cdn.open(url.pathname.slice("/cdn".length), url.searchParams);
    if (!file) return context.text("This content is no longer available.", 404);
    const trouble = cdn.trouble.strike(context.env.outgoing, file.bytes);
    if (trouble) return trouble === "sent" ? RESPONSE_ALREADY_SENT : trouble;
    return context.body(new Uint8Array(file.bytes), 200, { "content-type": file.contentType });
  });
  for (const route of Object.keys(api.routes)) {
    const [method = "", path = ""] = route.split(" ");
    app.on(method, `/v10${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, async (context) => {
      const read = () => readRequest(context, limits);
      return answered(context, await api.call(route, context.req.header("authorization"), read));
    });
  }
  app.notFound(() => Response.json(unknownRoute(), { status: 404 }));
  const http = createAdaptorServer({ fetch: app.fetch });
  if (!(http instanceof Server)) throw new Error("The fake serves plain HTTP.");
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    http,
    async stop() {
      const closed = once(http, "close");
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

function answered(context: Context<Env>, outcome: Outcome): Response {
  if (outcome.kind === "reset") return broken(context);
  if (outcome.kind === "page") {
    const page = "<html><head><title>502 Bad Gateway</title></head></html>";
    return new Response(page, { status: 502, headers: { "content-type": "text/html" } });
  }
  const { headers } = outcome;
  if (outcome.kind === "refusal") return refused(outcome.refusal, headers);
  if (outcome.result === undefined) return new Response(null, { status: 204, headers });
  return Response.json(outcome.result, { headers });
}

/** topics/rate-limits, "Header Format". */
function refused(refusal: Refusal, headers: Readonly<Record<string, string>>): Response {
  const { status, rateLimit } = refusal;
  const limited = rateLimit && {
    "retry-after": String(rateLimit.seconds),
    "x-ratelimit-scope": rateLimit.global ? "global" : "user",
    ...(rateLimit.global && { "x-ratelimit-global": "true" }),
  };
  return Response.json(refusal, { status, headers: { ...headers, ...limited } });
}

function broken(context: Context<Env>): Response {
  context.env.incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/**
 * Reads a call: its JSON, or the JSON and the files of a form.
 * @throws Refusal when the body cannot be read, or is too large
 */
async function readRequest(context: Context<Env>, limits: DiscordLimits): Promise<RestRequest> {
  const { raw } = context.req;
  if (Number(raw.headers.get("content-length")) > limits.requestBytes) throw tooLarge();
  const type = raw.headers.get("content-type") ?? "";
  const params = context.req.param() as Record<string, string>;
  const { searchParams: query } = new URL(raw.url);
  const { body, uploads } = type.startsWith("multipart/form-data")
    ? await readForm(await raw.formData())
    : { body: readJson(await raw.text()), uploads: [] };
  return { params, query, body, uploads };
}

/** reference, "Uploading Files": `payload_json`, and `files[n]`. */
export async function readForm(form: FormData): Promise<Pick<RestRequest, "body" | "uploads">> {
  const uploads: Upload[] = [];
  let body: unknown;
  for (const [name, value] of form) {
    const n = /^files\[(\d+)\]$/.exec(name)?.[1];
    if (name === "payload_json") body = readJson(typeof value === "string" ? value : await value.text());
    else if (n !== undefined && typeof value !== "string") {
      uploads.push({
        n,
        bytes: Buffer.from(await value.arrayBuffer()),
        name: value.name,
        contentType: value.type || "application/octet-stream",
      });
    } else throw new Refusal(400, RESTJSONErrorCodes.InvalidFormBodyOrContentType, `Unexpected part ${name}`);
  }
  return { body: body ?? {}, uploads };
}

function readJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal(
      400,
      RESTJSONErrorCodes.RequestBodyContainsInvalidJSON,
      "The request body contains invalid JSON.",
    );
  }
}
