import type { Hono } from "hono";
import { ENDPOINT_PATH } from "../../../adapters/discord/endpoint.ts";
import { createServer } from "../../../src/app/server.ts";

/** Lets a server listen with some routes; `url` is where Discord is to send interactions. `await using` stops it. */
export async function listening(routes: Hono) {
  const server = createServer(async () => []);
  server.routes.route("/", routes);
  const root = await server.listen("127.0.0.1", 0);
  return { url: `${root}${ENDPOINT_PATH}`, [Symbol.asyncDispose]: () => server.stop() };
}
