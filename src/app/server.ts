import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { aFewAtATime } from "./a-few-at-a-time.ts";
import { cutOffWhenStalled } from "./slow-reader.ts";
import { accessLog } from "../infrastructure/telemetry/access-log.ts";
import type { Logger } from "../infrastructure/telemetry/telemetry.ts";

/** The one HTTP server: adapters mount their routes on it before it listens. */
export interface HttpServer {
  readonly routes: Hono;
  /** Begins to listen. Returns where: with the port that was free, if 0 was asked for. */
  listen(host: string, port: number): Promise<string>;
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
}

/** Longer than any adapter waits for a request's last byte, in milliseconds: they say why, Node would just say 408. */
const REQUEST_MS = 660_000;
/** How long a client may take to say what it wants, in milliseconds. */
const HEAD_MS = 20_000;
/** More than all that wait for something: beyond it the process would have no handles left for its own files. */
const MOST_CONNECTIONS = 4_096;
/** How long a client may take nothing of its answer, in milliseconds. */
const STALLED_MS = 60_000;

/**
 * Makes the server with its two health checks: `/healthz` (the process lives) and `/readyz` (it can work).
 * @param unready what is not ready, by name; nothing when all is well
 */
export function createServer(
  unready: () => Promise<readonly string[]>,
  { log, mayBeKey = async () => true, stalledMs = STALLED_MS }: ServerOptions = {},
): HttpServer {
  const routes = new Hono();
  routes.use(accessLog(log, mayBeKey));
  routes.get("/healthz", (context) => context.json({ status: "alive" }));
  routes.get("/readyz", async (context) => {
    const waiting = await unready();
    return waiting.length === 0
      ? context.json({ status: "ready" })
      : context.json({ status: "unready", waiting }, 503);
  });
  const server = createHttpServer(
    { requestTimeout: REQUEST_MS, headersTimeout: HEAD_MS },
    aFewAtATime(getRequestListener(routes.fetch)),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.on("request", (_request: IncomingMessage, answer: ServerResponse) =>
    cutOffWhenStalled(answer, stalledMs),
  );
  return {
    routes,
    async listen(host, port) {
      server.listen(port, host);
      await once(server, "listening");
      const address = server.address() as AddressInfo;
      return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
    },
    async stop() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
