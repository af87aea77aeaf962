import { Hono, type MiddlewareHandler } from "hono";
import { setTimeout as sleep } from "node:timers/promises";
import { unknownPath } from "./service/guard.ts";
import { dressed } from "./service/dress.ts";
import { LOGIN_PAGE, LOGIN_PATH } from "./records/login.ts";
import { mishaps } from "./service/mishaps.ts";
import { isOfStorage } from "./service/trouble.ts";
import { Refusal } from "./records/refusal.ts";
import { openResult, sendResult } from "./service/results.ts";
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
import type { Env, Service } from "./service/service.ts";

/** Where the second host lives: a prefix, so that one port serves both (section 1, rule 5). */
export const FULL_CATALOG_PREFIX = "/full-catalog";

/**
 * Both hosts, the results and the control endpoint.
 * @param latencyMs most that the network adds to a request, at random, half of it each way
 */
export function createApp(service: Service, latencyMs: number): Hono<Env> {
  const app = new Hono<Env>();
  answerErrors(app);
  app.route("/sandbox", controlRoutes(service));
  app.use(async (_, next) => {
    await travel(latencyMs);
    await next();
    await travel(latencyMs);
  });
  app.route("/api", host(service, false));
  app.route(`${FULL_CATALOG_PREFIX}/api`, host(service, true));
  resultRoutes(app, service, true);
  // The pages that `status_url` names are for browsers with a login; a client has no business there.
  app.get(`${PAGE_PREFIX}/:id`, (c) => {
    service.counters.pages += 1;
    return c.html(LOGIN_PAGE, 401);
  });
  app.get(LOGIN_PATH, (c) => c.html(LOGIN_PAGE));
  return app;
}

/** The other host, which keeps results and knows nobody: no key is to reach it. */
export function createFileApp(service: Service): Hono<Env> {
  const app = new Hono<Env>();
  answerErrors(app);
  resultRoutes(app, service, false);
  return app;
}

function resultRoutes(app: Hono<Env>, service: Service, own: boolean): void {
  app.use("/results/*", mishaps(service, ""), headOrNot(service));
  app.get("/results/:file", openResult(service, own), sendResult(service));
}

function answerErrors(app: Hono<Env>): void {
  app.onError((error, c) =>
    error instanceof Refusal
      ? c.json({ error: error.message, code: error.status }, error.status)
      : c.json({ error: `Internal server error: ${toldOf(error)}`, code: 500 }, 500),
  );
  app.notFound((c) => c.json({ error: `Not found: ${c.req.path}`, code: 404 }, 404));
}

/** Where things are stored is nobody's business. */
function toldOf(error: Error): string {
  return isOfStorage(error) ? "nothing can be stored at the moment." : error.message;
}

function headOrNot({ liberties }: Service): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.method === "HEAD" && liberties.head === "refused")
      throw new Refusal(405, "Method not allowed.");
    await next();
  };
}

function host(service: Service, full: boolean): Hono<Env> {
  const prefix = full ? FULL_CATALOG_PREFIX : "";
  const base = `${prefix}/api`;
  const app = new Hono<Env>()
    .use(mishaps(service, prefix), dressed(service), headOrNot(service))
    .route("/", userRoutes(service))
    .route("/", templateRoutes(service, full))
    .route("/", catalogueRoutes(service, full))
    .route("/", encodeRoutes(service))
    .route("/", generateRoutes(service, full))
    .route("/", deleteRoutes(service))
    .route("/", jobRoutes(service, base, full))
    .route("/", productRoutes(service, base, full));
  if (full) app.route("/", registrationRoutes(service));
  return app.all("/*", (c) => unknownPath(service, c));
}

async function travel(latencyMs: number): Promise<void> {
  if (latencyMs > 0) await sleep((Math.random() * latencyMs) / 2);
}
