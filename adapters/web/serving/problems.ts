import type { Context, ErrorHandler, MiddlewareHandler } from "hono";
import { asReelayError, type ErrorCode } from "../../../src/common/errors.ts";
import { tellFailure } from "../../../src/infrastructure/telemetry/access-log.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";

/** Status codes that say more than "what you sent was refused". */
const STATUS: Partial<Record<ErrorCode, 403 | 404 | 409 | 413 | 429 | 500>> = {
  not_yours: 403,
  link_over: 403,
  role_may_not: 403,
  changed_meanwhile: 409,
  operator_name_taken: 409,
  terminal_owner: 409,
  key_in_pool: 409,
  key_name_taken: 409,
  key_of_environment: 409,
  key_same_account: 409,
  partner_exists: 409,
  key_unknown: 404,
  operator_unknown: 404,
  partner_unknown: 404,
  media_gone: 404,
  not_found: 404,
  unknown_command: 404,
  media_too_large: 413,
  too_many_open: 429,
  too_many_requests: 429,
  internal: 500,
};

/** Answers with what is wrong, as a page's script reads it; what nobody expects is logged. */
export function tellProblem(log: Pick<Logger, "error" | "warn">): ErrorHandler {
  return (thrown, c: Context) => {
    const error = asReelayError(thrown);
    c.set("refused", error.code);
    if (error.code === "internal") tellFailure(log, c, thrown, "A request of the page failed");
    const { code, params } = error;
    const field = typeof params["field"] === "string" ? { field: params["field"] } : {};
    return c.json({ code, params, ...field }, STATUS[code] ?? 400);
  };
}

/** Keeps answers out of caches, but for those that say otherwise. */
export const notKept: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
};
