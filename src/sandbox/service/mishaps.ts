import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, MiddlewareHandler, Next } from "hono";
import { setTimeout as sleep } from "node:timers/promises";
import { strikesAfter, type WireFault } from "./faults.ts";
import type { Env, Service } from "./service.ts";
import { refusal, strikeAnswer, strikeRequest } from "./strikes.ts";

/** How long a request whose connection was cut is on its way, where nothing else is asked for. */
const LATE_SECONDS = 2;

/** Makes go wrong what the control endpoint asked for. */
export function mishaps(service: Service, prefix: string): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { method } = c.req;
    const path = c.req.path.slice(prefix.length);
    const account = service.accounts.byKey(c.req.header("x-api-key") ?? "")?.name;
    const fault = service.faults.take({ method, path, account });
    if (!fault) return next();
    if (fault.kind === "accepted-late") return handleLate(service, fault, c, next);
    if (!strikesAfter(fault)) return strikeRequest(fault, c, service);
    await next();
    if (!c.res.ok) return service.faults.putBack(fault);
    const answer = { bytes: Buffer.from(await c.res.arrayBuffer()), headers: c.res.headers };
    c.res = undefined;
    c.res = refusal(fault, service.liberties) ?? (await strikeAnswer(fault, c, service, answer));
    return undefined;
  };
}

/** The connection is cut once the request is here; it is handled all the same, some time later. */
async function handleLate(
  service: Service,
  fault: WireFault,
  c: Context<Env>,
  next: Next,
): Promise<Response> {
  const { url, method, headers } = c.req.raw;
  const body = await c.req.arrayBuffer();
  c.req.raw = new Request(url, { method, headers, ...(body.byteLength > 0 && { body }) });
  c.env.incoming.socket.resetAndDestroy();
  const arrives = sleep((fault.seconds ?? LATE_SECONDS) * 1000, true, { signal: service.stopping });
  if (await arrives.catch(() => false)) await next();
  return RESPONSE_ALREADY_SENT;
}
