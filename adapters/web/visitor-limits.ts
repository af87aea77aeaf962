import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { ReelayError } from "../../src/common/errors.ts";
import { RateLimit } from "../../src/common/rate-limit.ts";
import type { UserId } from "../../src/seam/values.ts";
import type { PageEnv } from "./access.ts";

/** Requests a minute of one person: far more than a page full of films asks for. */
const MOST_REQUESTS = 1_200;
/** Files that one person may give in a minute, and at once: each is fetched or received, kept and decoded. */
const MOST_FILES = 60;
const MOST_FILES_AT_ONCE = 6;

/** Lets nobody ask for more than a person at a page would: a visitor is whoever writes to the bot. */
export function visitorRequests() {
  const limit = new RateLimit("requests");
  return createMiddleware<PageEnv>(async (c, next) => {
    take(c, limit, MOST_REQUESTS);
    await next();
  });
}

/** The same for files that are given. */
export function visitorFiles() {
  const limit = new RateLimit("files");
  const open = new Map<UserId, number>();
  return createMiddleware<PageEnv>(async (c, next) => {
    if (c.req.method !== "POST") return next();
    const { user } = c.var.person;
    const others = open.get(user) ?? 0;
    if (others >= MOST_FILES_AT_ONCE) throw new ReelayError("too_many_open", { max: MOST_FILES_AT_ONCE });
    take(c, limit, MOST_FILES);
    open.set(user, others + 1);
    try {
      await next();
    } finally {
      const left = (open.get(user) ?? 1) - 1;
      if (left > 0) open.set(user, left);
      else open.delete(user);
    }
  });
}

/** @throws ReelayError `too_many_requests` */
function take(c: Context<PageEnv>, limit: RateLimit, max: number): void {
  const { refusedForMs: ms, headers } = limit.take(c.var.person.user, max);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  if (ms !== undefined) throw new ReelayError("too_many_requests", { max, ms });
}
