import type { Context, Next } from "hono";
import { modeOf } from "../../../src/seam/access/partners.ts";
import type { PartnerHost } from "../../../src/seam/surface/host.ts";
import { passOn } from "../../../src/infrastructure/telemetry/access-log.ts";

/** Says in every answer, and every message, whether it is about what test tokens made (`test`), or about the rest (`live`). */
export const MODE_HEADER = "Reelay-Mode";

/** What links to results that test tokens made begin with; no other does: what is signed begins as JSON in base64 does. */
export const TEST_LINK = "test-";

/** The token that a request came with. */
export const bearerOf = (c: Context): string | undefined =>
  /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];

/**
 * Leads whoever comes with a test token to where those lead, before anything else looks at the request. One that nobody has leads
 * nowhere, so that nothing is opened for it, and is refused as any other.
 */
export function withTestTokens({ tests }: Pick<PartnerHost, "tests">) {
  return async (c: Context, next: Next) => {
    const token = bearerOf(c);
    if (!tests || token === undefined || modeOf(token) !== "test") return next();
    const answering = await tests.answering(token);
    return answering ? passOn(c, answering) : next();
  };
}

/** The same for links to results that test tokens made: there is no token with them. */
export function withTestLinks({ tests }: Pick<PartnerHost, "tests">) {
  return async (c: Context, next: Next) => {
    const answering = c.req.param("link")?.startsWith(TEST_LINK) ? await tests?.opened() : undefined;
    return answering ? passOn(c, answering) : next();
  };
}
