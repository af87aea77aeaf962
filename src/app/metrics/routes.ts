import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import type { Metrics } from "./metrics.ts";

/** Where numbers are asked for. */
export const METRICS_PATH = "/metrics";

/**
 * The route that a monitoring system asks.
 * @param token what it has to show; undefined: nothing, as nobody else reaches it
 */
export function metricsRoutes(metrics: Pick<Metrics, "contentType" | "text">, token?: string): Hono {
  const routes = new Hono();
  if (token !== undefined) routes.use(bearerAuth({ token, realm: "metrics" }));
  routes.get("/", async (c) =>
    c.body(await metrics.text(), 200, { "content-type": metrics.contentType, "cache-control": "no-store" }),
  );
  return routes;
}
