import type { Context } from "hono";
import { compress } from "hono/compress";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { ReelayError } from "../../src/common/errors.ts";
import { isBuilt } from "../../src/seam/version.ts";
import { checked, checkedQuery } from "./access/checked.ts";
import { mostInMemory } from "./body/bounds.ts";
import { parseJson } from "./body/parse-json.ts";
import { SMALL_BYTES, smallBody } from "./body/small.ts";
import { Access, baseOf } from "./access/access.ts";
import { MODE_HEADER, withTestLinks } from "./access/test-tokens.ts";
import { crossOrigin } from "./access/cross-origin.ts";
import { OpenRequests } from "./access/open-requests.ts";
import type { GatewayParts } from "./jobs/gateway-parts.ts";
import { mountMcp } from "./mcp/http.ts";
import { mountOpenAi } from "./openai/mount.ts";
import { llmsText } from "./openapi/llms.ts";
import { isConditional, type Route, type RouteCall } from "./route/route.ts";
import { deprecationHeaders, VERSION_HEADER, versioned } from "./route/version.ts";
import { allRoutes } from "./routes/all.ts";
import { referenceParts } from "./routes/reference-page.ts";
import { Submissions } from "./jobs/submissions.ts";

const BASE = "/v1";

/** Sends nothing that whoever asks has already. */
const unlessUnchanged = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    "access-control-allow-origin",
    "access-control-expose-headers",
    "deprecation",
    "link",
    "x-request-id",
    "ratelimit",
    "ratelimit-policy",
    "sunset",
    MODE_HEADER,
    VERSION_HEADER,
  ],
});

/** Sends what is read as JSON, or as a table, in fewer bytes to whoever takes it so. */
const packed = compress({ contentTypeFilter: /^(?:application\/json|text\/csv)/ });

/** Mounts everything that programs can call under {@link BASE}, and what agents can. */
export function mountGateway(parts: GatewayParts): void {
  const access = new Access(parts);
  const open = new OpenRequests({ partners: parts.forPartners.partners, log: parts.host.log });
  const app = access.open();
  app.get("/media/:link", withTestLinks(parts.forPartners));
  app.use(crossOrigin(parts.forPartners.partners));
  app.use(versioned);
  const submissions = new Submissions(parts);
  const routes = allRoutes(parts, submissions);
  for (const route of routes) {
    if (isConditional(route) && !route.links) app.get(route.path, packed);
    if (isConditional(route)) app.get(route.path, unlessUnchanged);
    app.on(route.method.toUpperCase(), route.path, (c) => run(c, route));
  }
  if (isBuilt("reference")) app.use("/docs/*", referenceParts());
  app.all("*", (c) => access.refuse(c, unknownPlace(c, routes)));

  async function run(c: Context, route: Route): Promise<Response> {
    for (const [name, value] of Object.entries(deprecationHeaders(route))) c.header(name, value);
    const caller = route.open ? undefined : await access.admit(c, route.scope);
    const kind = route.streams ? "stream" : "request";
    const revoked = caller && open.enter(c, caller, kind, bytesOf(c, route)).revoked;
    const query = route.query && checkedQuery(route.query, c);
    const body = route.body && checked(route.body, parseJson(await smallBody(c)));
    // It came when it came: by then they may have been removed, and others may have their name.
    if (caller && body && !(await parts.forPartners.partners.isGood(caller)))
      throw new ReelayError("token_invalid");
    const call: RouteCall = {
      c,
      ended: revoked ? AbortSignal.any([revoked, parts.stopped]) : parts.stopped,
      locale: access.localeOf(c),
      query,
      body,
    };
    return route.handle(call, caller);
  }

  parts.host.routes.route(BASE, app);
  parts.host.routes.get("/llms.txt", (c) => c.text(llmsText(baseOf(c, parts.host.config))));
  mountMcp(parts, access, open, submissions);
  mountOpenAi(parts, access, open, submissions);
}

/** The most that the body of a call may have in memory. */
function bytesOf(c: Context, { body, streamed }: Route): number {
  const length = c.req.header("content-length");
  if (streamed) return mostInMemory(length);
  return body ? mostInMemory(length, SMALL_BYTES) : 0;
}

/** What stands at an address that was called in vain: nothing, or something that is called another way. */
function unknownPlace(c: Context, routes: readonly Route[]): ReelayError {
  const allowed = routes
    .filter(({ path }) => matches(path, c.req.path))
    // What answers GET answers HEAD, too (RFC 9110, section 9.3.2).
    .flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  if (allowed.length === 0) return new ReelayError("route_unknown");
  return new ReelayError("method_unknown", { method: c.req.method, allowed: allowed.join(", ") });
}

function matches(path: string, called: string): boolean {
  const pattern = path.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", "\\.");
  return new RegExp(`^${BASE}${pattern}$`).test(called);
}
