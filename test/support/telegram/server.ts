import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import { once } from "node:events";
import { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BotApi, Outcome } from "./bot-api.ts";
import type { RawCall } from "./check.ts";
import type { Files } from "./files.ts";
import { badRequest, Refusal } from "./refusal.ts";
import { Upload } from "./upload.ts";

interface Env {
  Bindings: HttpBindings;
}

/** Where the fake listens. */
export interface FakeServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the Bot API over HTTP on a free port of this machine. */
export async function serve(token: string, api: BotApi, files: Files): Promise<FakeServer> {
  const app = new Hono<Env>();
  app.get("/file/:bot/*", (context) => {
    const bot = context.req.param("bot");
    const bytes = bot === `bot${token}` && files.download(context.req.path.slice(`/file/${bot}/`.length));
    const trouble = bytes && files.trouble.strike(context.env.outgoing, bytes);
    if (trouble) return trouble === "sent" ? RESPONSE_ALREADY_SENT : trouble;
    return bytes ? context.body(new Uint8Array(bytes)) : refused(new Refusal(404, "Not Found"));
  });
  app.on(["GET", "POST"], "/:bot/:method", async (context) => {
    const { bot, method } = context.req.param();
    if (!bot.startsWith("bot")) return refused(new Refusal(404, "Not Found"));
    if (bot !== `bot${token}`) return refused(new Refusal(401, "Unauthorized"));
    const gone = new AbortController();
    context.env.outgoing.once("close", () => gone.abort());
    const outcome = await api.call(method, () => readCall(context.req.raw), gone.signal);
    return outcome.kind === "reset" ? broken(context) : answered(outcome);
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, "close");
      server.close();
      if (server instanceof Server) server.closeAllConnections();
      await closed;
    },
  };
}

function answered(outcome: Exclude<Outcome, { kind: "reset" }>): Response {
  if (outcome.kind === "refusal") return refused(outcome.refusal);
  if (outcome.kind === "result") return Response.json({ ok: true, result: outcome.result });
  const page = "<html><head><title>502 Bad Gateway</title></head></html>";
  return new Response(page, { status: 502, headers: { "content-type": "text/html" } });
}

const refused = (refusal: Refusal) => Response.json(refusal, { status: refusal.code });

function broken(context: Context<Env>): Response {
  context.env.incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/**
 * Reads parameters from the query and the body: JSON, a form, or a form with files.
 * @throws Refusal when the body cannot be read
 */
async function readCall(request: Request): Promise<RawCall> {
  const values: Record<string, unknown> = Object.fromEntries(new URL(request.url).searchParams);
  const files = new Map<string, Upload>();
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) Object.assign(values, await readJson(request));
  else if (type) {
    const form = await request.formData().catch((cause: unknown) => {
      throw badRequest(`can't read the form: ${String(cause)}`);
    });
    for (const [name, value] of form) {
      if (typeof value === "string") values[name] = value;
      else files.set(name, new Upload(Buffer.from(await value.arrayBuffer()), value.name, value.type));
    }
  }
  return { values, files };
}

async function readJson(request: Request): Promise<object> {
  const text = await request.text();
  if (text === "") return {};
  const body: unknown = JSON.parse(text);
  if (typeof body !== "object" || body === null) throw badRequest("object expected as request body");
  return body;
}
