import type { Context, Next } from "hono";
import { cors } from "hono/cors";
import type { Partners } from "../../../src/seam/access/partners.ts";
import { MODE_HEADER } from "./test-tokens.ts";
import { VERSION_HEADER } from "../route/version.ts";

/** What of an answer a page may read beside its body. */
const EXPOSED_HEADERS = [
  "Deprecation",
  "ETag",
  "Idempotency-Replayed",
  "Location",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  MODE_HEADER,
  VERSION_HEADER,
  "Retry-After",
  "Sunset",
  "X-Request-Id",
];

/** What a page may send beside what any page may. */
const ALLOWED_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "Last-Event-ID",
  "Prefer",
  "Range",
  VERSION_HEADER,
  "X-Request-Id",
];

const ALLOWED_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** How long a browser remembers what it was allowed, in seconds. */
const REMEMBERED_S = 600;

/**
 * Lets pages call from the origins that partners named, each exactly (Fetch, section 3.3). A browser asks before it sends a
 * token, so that it is told whether the origin is anybody's; whose it must be is seen with the token. Cookies count for
 * nothing here, and none are asked for.
 * @param allowHeaders what a page may send; none: whatever it asks for
 */
export function crossOrigin(
  partners: Pick<Partners, "allowsOrigin">,
  allowHeaders: readonly string[] = ALLOWED_HEADERS,
) {
  const answer = cors({
    origin: async (origin) => (origin !== "" && (await partners.allowsOrigin(origin)) ? origin : null),
    allowMethods: ALLOWED_METHODS,
    allowHeaders: [...allowHeaders],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: REMEMBERED_S,
  });
  return async (c: Context, next: Next) => {
    const asksBefore = c.req.header("access-control-request-method") !== undefined;
    // Any other request for what there may be asked is one for a method that there is not.
    return c.req.method === "OPTIONS" && !asksBefore ? next() : answer(c, next);
  };
}
