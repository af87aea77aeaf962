import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import { once } from "node:events";
import { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { CloudApi, Outcome, Request, Route } from "./cloud-api.ts";
import { missing, noSuchObject, Refusal } from "./refusal.ts";
import type { World } from "./world.ts";

interface Env {
  Bindings: HttpBindings;
}

/** Where the fake listens. */
export interface FakeServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where files are fetched: another host than the API's, whose address nothing but a link says. */
const FILES = "/whatsapp_business/attachments/";

/** Serves the Cloud API and its files on a free port of this machine. */
export async function serve(api: CloudApi, world: World): Promise<FakeServer> {
  const app = new Hono<Env>();
  app.get(FILES, (context) => {
    if (tokenOf(context) !== api.token) return context.body(null, 401);
    const file = world.media.open(new URL(context.req.url).searchParams);
    if (!file) return context.body(null, 404);
    const trouble = world.media.trouble.strike(context.env.outgoing, file.bytes);
    if (trouble) return trouble === "sent" ? RESPONSE_ALREADY_SENT : trouble;
    return context.body(new Uint8Array(file.bytes), 200, { "content-type": file.mimeType });
  });
  const { phoneNumberId } = world.business;
  const routed = async (context: Context<Env>, route: Route) => {
    const { version = "", id = "" } = context.req.param() as Record<string, string>;
    const query = new URL(context.req.url).searchParams;
    const request: Request = {
      version,
      id,
      query,
      token: tokenOf(context),
      read: () => read(context, route),
    };
    const outcome = await api.call(route, request).catch((error: unknown): Outcome => {
      if (error instanceof Refusal) return { kind: "refusal", refusal: error };
      throw error;
    });
    return answered(context, outcome, world);
  };
  app.post("/:version/:id/messages", (context) => routed(context, "messages"));
  app.post("/:version/:id/media", (context) => routed(context, "upload"));
  app.get("/:version/:id", (context) =>
    routed(context, context.req.param("id") === phoneNumberId ? "number" : "link"),
  );
  app.delete("/:version/:id", (context) => routed(context, "remove"));
  app.notFound((context) => {
    const refusal = noSuchObject(new URL(context.req.url).pathname);
    return Response.json(refusal.body(world.liberties), { status: 400 });
  });
  const http = createAdaptorServer({ fetch: app.fetch });
  if (!(http instanceof Server)) throw new Error("The fake serves plain HTTP.");
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  world.media.url = url + FILES;
  return {
    url,
    async stop() {
      const closed = once(http, "close");
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

const tokenOf = (context: Context<Env>) =>
  /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "")?.[1];

function answered(context: Context<Env>, outcome: Outcome, { liberties }: World): Response {
  if (outcome.kind === "result") return Response.json(outcome.result);
  if (outcome.kind === "refusal")
    return Response.json(outcome.refusal.body(liberties), { status: outcome.refusal.status(liberties) });
  if (outcome.kind === "reset") {
    context.env.incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  }
  const page = "<html><head><title>502 Bad Gateway</title></head></html>";
  return new Response(page, { status: 502, headers: { "content-type": "text/html" } });
}

/**
 * Reads a call's JSON, or the file of its form.
 * @throws Refusal when it cannot be read
 */
async function read(context: Context<Env>, route: Route): ReturnType<Request["read"]> {
  const { raw } = context.req;
  if (route === "messages") {
    const body: unknown = await raw.json().catch(() => undefined);
    if (typeof body !== "object" || body === null) throw new Refusal(100, "The body is no JSON object");
    return { body };
  }
  if (route !== "upload") return {};
  const form = await raw.formData().catch((cause: unknown) => {
    throw new Refusal(100, `The form cannot be read: ${String(cause)}`);
  });
  if (form.get("messaging_product") !== "whatsapp") throw missing("messaging_product");
  // reference/media: required; the description leaves it out.
  const type = form.get("type");
  if (typeof type !== "string") throw missing("type");
  const file = form.get("file");
  if (file === null || typeof file === "string") return {};
  if (file.type !== type)
    throw new Refusal(100, `Param file is of type '${file.type}', and type says '${type}'`);
  return { file: { bytes: Buffer.from(await file.arrayBuffer()), mimeType: type, fileName: file.name } };
}
