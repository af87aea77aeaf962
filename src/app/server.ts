import { type Context, Hono } from "hono";
import { nearestLocale, translator } from "../common/i18n.ts";
import { HttpListener } from "./http/listener.ts";
import type { Readiness } from "./readiness.ts";
import { accessLog } from "../infrastructure/telemetry/access-log.ts";
import type { Logger } from "../infrastructure/telemetry/telemetry.ts";

/** The one HTTP server: adapters mount their routes on it before it listens. */
export interface HttpServer {
  readonly routes: Hono;
  /** Begins to listen. Returns where: with the port that was free, if 0 was asked for. */
  listen(host: string, port: number): Promise<string>;
  /** Aborted when it begins to stop: whoever only waits for something is to be answered now. */
  readonly leaving: AbortSignal;
  stop(): Promise<void>;
}

/** What may differ of a server. */
interface ServerOptions {
  /** Where a line about each request goes; left out, nowhere. */
  readonly log?: Logger;
  /** Whether what a caller calls their request may be a key; left out, every request has an id of ours. */
  readonly mayBeKey?: (id: string) => Promise<boolean>;
  /** After which a client that takes nothing of its answer is cut off, in milliseconds. */
  readonly stalledMs?: number;
  /** Where it is reached, which outlives it; left out, it has one of its own. */
  readonly listener?: HttpListener;
}

/**
 * Makes the server with its two health checks: `/healthz` (the process lives) and `/readyz` (it can work, and what it stands on).
 * @param readiness looks at that
 */
export function createServer(
  readiness: () => Promise<readonly Readiness[]>,
  { log, mayBeKey = async () => true, stalledMs, listener }: ServerOptions = {},
): HttpServer {
  const routes = new Hono();
  routes.use(accessLog(log, mayBeKey));
  routes.get("/healthz", (context) => context.json({ status: "alive" }));
  routes.get("/readyz", async (context) => {
    const all = await readiness();
    const waiting = all.filter(({ ok, optional }) => !ok && !optional).map(({ name }) => name);
    const checks = all.map(({ name, ok, optional = false }) => ({ name, ok, needed: !optional }));
    return waiting.length === 0
      ? context.json({ status: "ready", checks })
      : context.json({ status: "unready", waiting, checks }, 503);
  });
  routes.notFound((context) => {
    const allowed = methodsAt(routes, context.req.path);
    // What has the method and says that nothing is there means it.
    if (allowed.length === 0 || allowed.includes(context.req.method))
      return context.text("404 Not Found", 404);
    return refuseMethod(context, allowed.join(", "));
  });
  const own = listener ?? new HttpListener(stalledMs);
  const leaving = new AbortController();
  return {
    routes,
    leaving: leaving.signal,
    listen: (host, port) => own.open(routes.fetch, host, port),
    async stop() {
      leaving.abort();
      await (listener ? own.hold() : own.close());
    },
  };
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The methods of what stands at a path; what answers GET answers HEAD, too (RFC 9110, section 9.3.2). */
function methodsAt({ router }: Hono, path: string): readonly string[] {
  const there = METHODS.filter((method) =>
    router.match(method, path)[0].some(([[, route]]) => route.method === method),
  );
  return there.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** As `/v1` refuses it; a browser shows the sentence. */
function refuseMethod(context: Context, allowed: string): Response {
  const { method } = context.req;
  const say = translator(nearestLocale(context.req.header("accept-language")));
  const code = "method_unknown";
  const detail = say(`error.${code}`, { method, allowed });
  context.header("Allow", allowed);
  if (context.req.header("accept")?.includes("text/html")) return context.text(detail, 405);
  const body = { type: `/v1/docs#${code}`, title: "Method unknown", status: 405, detail, code };
  return context.body(JSON.stringify(body), 405, { "Content-Type": "application/problem+json" });
}
