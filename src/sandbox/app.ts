import { Hono } from "hono";
import { setTimeout as sleep } from "node:timers/promises";
import { unknownPath } from "./guard.ts";
import { mishaps } from "./mishaps.ts";
import { Refusal } from "./refusal.ts";
import { openResult, sendResult } from "./results.ts";
import { catalogueRoutes } from "./routes/catalogues.ts";
import { controlRoutes } from "./routes/control.ts";
import { deleteRoutes } from "./routes/deletes.ts";
import { encodeRoutes } from "./routes/encode.ts";
import { generateRoutes, PAGE_PREFIX } from "./routes/generate.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { productRoutes } from "./routes/products.ts";
import { registrationRoutes } from "./routes/registration.ts";
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
  app.get("/results/:file", openResult(service), sendResult(service));
  // The pages that `status_url` names are for browsers with a login; a client has no business there.
  app.get(`${PAGE_PREFIX}/:id`, (c) => {
    service.counters.pages += 1;
    return c.html("<!doctype html><title>Sign in</title><h1>Please sign in</h1>", 401);
  });
  return app;
}

function host(service: Service, full: boolean): Hono<Env> {
  const prefix = full ? FULL_CATALOG_PREFIX : "";
  const base = `${prefix}/api`;
  const app = new Hono<Env>()
    .use(mishaps(service, prefix))
    .route("/", userRoutes(service))
    .route("/", templateRoutes(service, full))
    .route("/", catalogueRoutes(service, full))
    .route("/", encodeRoutes(service))
    .route("/", generateRoutes(service, full))
    .route("/", deleteRoutes(service))
    .route("/", jobRoutes(service, base))
    .route("/", productRoutes(service, base));
  if (full) app.route("/", registrationRoutes(service));
  return app.all("/*", (c) => unknownPath(service, c));
}

async function travel(latencyMs: number): Promise<void> {
  if (latencyMs > 0) await sleep((Math.random() * latencyMs) / 2);
}
