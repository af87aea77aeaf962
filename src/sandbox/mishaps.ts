import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, MiddlewareHandler } from "hono";
import { once } from "node:events";
import { RATE_LIMIT_MESSAGE } from "../contract.ts";
import { strikesAfter, type WireFault } from "./faults.ts";
import type { Env, Service } from "./service.ts";

const HTML =
  "<!doctype html><html><head><title>502</title></head><body><h1>502 Bad Gateway</h1></body></html>";

/** Makes go wrong what the control endpoint asked for. */
export function mishaps(service: Service, prefix: string): MiddlewareHandler<Env> {
  return async (c, next) => {
    const path = c.req.path.slice(prefix.length);
    const fault = service.faults.take(c.req.method, path);
    if (!fault) return next();
    if (!strikesAfter(fault)) return strike(fault, c);
    await next();
    if (!c.res.ok) return service.faults.putBack(fault);
    const answer = await c.res.arrayBuffer();
    c.res = undefined;
    c.res = await strike(fault, c, answer);
    return undefined;
  };
}

async function strike(fault: WireFault, c: Context<Env>, answer = new ArrayBuffer()): Promise<Response> {
  switch (fault.kind) {
    case "429":
      return problem(429, RATE_LIMIT_MESSAGE);
    case "slot429":
      return problem(429, "All concurrent job slots are in use. Wait for a job to finish.");
    case "500":
      return problem(500, "Compute provider submission error.");
    case "503":
      return problem(503, `${fault.product ?? "The service"} is under maintenance.`);
    case "html":
      return new Response(HTML, { status: 502, headers: { "content-type": "text/html" } });
    case "truncated":
      return new Response(answer.slice(0, answer.byteLength / 2), {
        headers: { "content-type": "application/json" },
      });
    case "reset-before":
    case "reset-after":
      c.env.incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    case "hang":
      if (!c.env.outgoing.closed) await once(c.env.outgoing, "close");
      return RESPONSE_ALREADY_SENT;
    default:
      return fault.kind satisfies never;
  }
}

function problem(code: number, error: string): Response {
  return Response.json({ error, code }, { status: code });
}
