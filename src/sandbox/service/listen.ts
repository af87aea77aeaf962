import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { once } from "node:events";
import { Server } from "node:http";
import type { Env } from "./service.ts";

/** A server that listens. */
export interface Listening {
  readonly origin: string;
  /** Ends every connection. */
  close(): Promise<void>;
}

/**
 * Listens.
 * @param port 0 for a free one
 * @throws when the port is taken
 */
export async function listen(app: Hono<Env>, port: number, host: string): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  const taken = typeof address === "object" ? address?.port : undefined;
  return {
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      if (server instanceof Server) server.closeAllConnections();
      await closed;
    },
  };
}
