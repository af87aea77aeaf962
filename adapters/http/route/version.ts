import type { Context, Next } from "hono";
import { ReelayError } from "../../../src/common/errors.ts";
import type { RouteFace } from "./route.ts";

/** What `/v1` is like: another day once something changes that a program may rely on. */
export const API_VERSION = "2026-11-26";

/** What says it, in requests and answers. */
export const VERSION_HEADER = "Reelay-Version";

/** Says in each answer which version it is of. @throws ReelayError `version_unknown` for a request that wants another one */
export async function versioned(c: Context, next: Next): Promise<void> {
  c.header(VERSION_HEADER, API_VERSION);
  const wanted = c.req.header(VERSION_HEADER);
  if (wanted !== undefined && wanted !== API_VERSION)
    throw new ReelayError("version_unknown", { version: API_VERSION });
  await next();
}

/** What is said of a route that is to go with each of its answers (RFC 9745, RFC 8594); nothing of any other. */
export function deprecationHeaders({ deprecated }: Pick<RouteFace, "deprecated">): Record<string, string> {
  if (!deprecated) return {};
  return {
    Deprecation: `@${Date.parse(deprecated.since) / 1_000}`,
    Sunset: new Date(deprecated.until).toUTCString(),
    Link: '</v1/docs>; rel="deprecation"; type="text/html"',
  };
}
