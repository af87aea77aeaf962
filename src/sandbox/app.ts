import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { unknownPath } from "./guard.ts";
import { mishaps } from "./mishaps.ts";
import { Refusal } from "./refusal.ts";
import { RESULT } from "./render/task.ts";
import { controlRoutes } from "./routes/control.ts";
import { deleteRoutes } from "./routes/deletes.ts";
import { generateRoutes } from "./routes/generate.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { templateRoutes } from "./routes/templates.ts";
import { userRoutes } from "./routes/users.ts";
import type { Env, Service } from "./service.ts";

/** Where the second host lives: a prefix, so that one port serves both (section 1, rule 5). */
export const FULL_CATALOG_PREFIX = "/full-catalog";

/**
 * Both hosts, the results and the control endpoint.
 * @param latencyMs most that the network adds to a request, at random, half of it each way
 */
export function createApp(service: Service, latencyMs: number): Hono<Env> {
  const app = new Hono<Env>();
  app.onError((error, c) =>
    error instanceof Refusal
      ? c.json({ error: error.message, code: error.status }, error.status)
      : c.json({ error: `Internal server error: ${error.message}`, code: 500 }, 500),
  );
  app.notFound((c) => c.json({ error: `Not found: ${c.req.path}`, code: 404 }, 404));
  app.route("/sandbox", controlRoutes(service));
  app.use(async (_, next) => {
    await travel(latencyMs);
    await next();
    await travel(latencyMs);
  });
  app.route("/api", host(service, false));
  app.route(`${FULL_CATALOG_PREFIX}/api`, host(service, true));
  app.use("/results/*", mishaps(service, ""));
  app.get(
    "/results/:file{[0-9a-f-]{36}\\.mp4}",
    serveStatic({
      root: service.files,
      rewriteRequestPath: (path) => join(path.slice("/results/".length, -".mp4".length), RESULT),
    }),
  );
  return app;
}

function host(service: Service, full: boolean): Hono<Env> {
  return new Hono<Env>()
    .use(mishaps(service, full ? FULL_CATALOG_PREFIX : ""))
    .route("/", userRoutes(service))
    .route("/", templateRoutes(service, full))
    .route("/", generateRoutes(service))
    .route("/", deleteRoutes(service))
    .route("/", jobRoutes(service))
    .all("/*", (c) => unknownPath(service, c));
}

async function travel(latencyMs: number): Promise<void> {
  if (latencyMs > 0) await sleep((Math.random() * latencyMs) / 2);
}
