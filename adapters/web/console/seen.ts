import type { Context } from "hono";
import { ReelayError } from "../../../src/common/errors.ts";

/**
 * What whoever changes something says that they saw of it.
 * @param form of what may be said
 * @throws ReelayError `bad_request` where it is not said
 */
export function seenIn(c: Context, form: RegExp): string {
  const [, seen] = /^"([^"]*)"$/.exec(c.req.header("if-match") ?? "") ?? [];
  if (seen === undefined || !form.test(seen)) throw new ReelayError("bad_request", { reason: "If-Match" });
  return seen;
}
