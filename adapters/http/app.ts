import { Hono, type Context } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { PartnerHost, SurfaceHost } from "../../src/chat/host.ts";
import type { Caller } from "../../src/chat/partners.ts";
import type { Intake } from "../../src/chat/surface.ts";
import { asReelayError, ReelayError } from "../../src/errors.ts";
import { type Locale, nearestLocale } from "../../src/i18n.ts";
import { checked } from "./checked.ts";
import { smallBody } from "./body/small.ts";
import type { Links } from "./links.ts";
import { problemBody } from "./problem.ts";
import { RateLimit } from "./rate-limit.ts";
import type { Call, Route } from "./route.ts";
import { STATUS_OF } from "./status.ts";
import { allRoutes } from "./routes/all.ts";

/** What the gateway works with. */
export interface GatewayParts {
  readonly host: SurfaceHost;
  readonly forPartners: PartnerHost;
  readonly links: Links;
  /** The core, once the surface was started. */
  readonly intake: () => Intake;
  /** Aborted when the surface stops: open event streams end. */
  readonly stopped: AbortSignal;
}

/** What a request carries from its first moment. */
type Env = { Variables: { request: string } };

const BASE = "/v1";
/** What a partner may call their request themselves. */
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Mounts everything that programs can call under {@link BASE}. */
export function mountGateway(parts: GatewayParts): void {
  const { host, forPartners } = parts;
  const limit = new RateLimit();
  const app = new Hono<Env>();

  app.use(secureHeaders({ referrerPolicy: "no-referrer", strictTransportSecurity: false }));
  app.use(async (c, next) => {
    const given = c.req.header("x-request-id") ?? "";
    c.set("request", REQUEST_ID.test(given) ? given : crypto.randomUUID());
    c.header("X-Request-Id", c.get("request"));
    c.header("Cache-Control", "private, no-store");
    await next();
  });
  app.onError((thrown, c) => refuse(c, thrown));
  const routes = allRoutes(parts);
  for (const route of routes) app.on(route.method.toUpperCase(), route.path, (c) => run(c, route));
  app.all("*", (c) => refuse(c, unknownPlace(c, routes)));

  async function run(c: Context<Env>, route: Route): Promise<Response> {
    const caller = route.open ? undefined : await admit(c, route);
    const call: Call = {
      c,
      locale: localeOf(c),
      query: route.query && checked(route.query, c.req.query(), "query"),
      body: route.body && checked(route.body, await smallBody(c)),
    };
    return route.handle(call, caller);
  }

  /** Whose token it is, provided that they may do this now. */
  async function admit(c: Context, { scope }: Route): Promise<Caller> {
    const token = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    if (token === undefined) throw new ReelayError("token_missing");
    const caller = await forPartners.partners.authenticate(token);
    if (!caller) throw new ReelayError("token_invalid");
    const { id, requestsPerMinute: max } = caller.partner;
    const { refusedForMs, headers } = limit.take(id, max);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (refusedForMs !== undefined) throw new ReelayError("too_many_requests", { max, ms: refusedForMs });
    if (scope && !caller.token.scopes.includes(scope)) throw new ReelayError("scope_missing", { scope });
    return caller;
  }

  function refuse(c: Context<Env>, thrown: unknown): Response {
    const error = asReelayError(thrown);
    const request = c.get("request");
    if (error.code === "internal") host.log.error({ err: thrown, request }, "A request of a partner failed");
    const status = STATUS_OF[error.code];
    if (status === 401) c.header("WWW-Authenticate", 'Bearer realm="reelay"');
    if (status === 405) c.header("Allow", String(error.params["allowed"]));
    const body = problemBody(error, request, localeOf(c));
    return c.json(body, status, { "Content-Type": "application/problem+json" });
  }

  /** The first language that is asked for. */
  function localeOf(c: Context): Locale {
    return nearestLocale(c.req.header("accept-language")?.split(",")[0], host.config.locale);
  }

  host.routes.route(BASE, app);
}

/** What stands at an address that was called in vain: nothing, or something that is called another way. */
function unknownPlace(c: Context, routes: readonly Route[]): ReelayError {
  const allowed = routes
    .filter(({ path }) => matches(path, c.req.path))
    .map(({ method }) => method.toUpperCase());
  if (allowed.length === 0) return new ReelayError("route_unknown");
  return new ReelayError("method_unknown", { method: c.req.method, allowed: allowed.join(", ") });
}

function matches(path: string, called: string): boolean {
  const pattern = path.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", "\\.");
  return new RegExp(`^${BASE}${pattern}$`).test(called);
}
