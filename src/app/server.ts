import { Hono } from "hono";
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
