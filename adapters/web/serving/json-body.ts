import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { ReelayError } from "../../../src/common/errors.ts";
import { atMost } from "../../../src/common/time.ts";

/** The largest JSON body, in bytes: two prompts of the longest kind and some. */
const MAX_JSON_BYTES = 256 * 1024;

/** How long whoever is not in may take for a body, in milliseconds: it holds a token, or what somebody's chat says of them. */
const STRANGERS_MS = 10_000;

const refused = () => new ReelayError("bad_request", { reason: "JSON" });

/** Refuses bodies that are larger than anything the page sends. */
export const jsonOnly = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: () => {
    throw refused();
  },
});

/** The same for whoever is not in: nobody may hold lines open with what never comes, which is closed on them. */
export const strangersJson: MiddlewareHandler = async (c, next) => {
  const read = jsonOnly(c, async () => void (await c.req.text()));
  if (!(await atMost(STRANGERS_MS, Promise.resolve(read)))) throw refused();
  return next();
};

/** A request's JSON body; other content types are refused, since browsers let any site send those. */
export async function bodyOf<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim();
  const parsed =
    type === "application/json" ? schema.safeParse(await c.req.json().catch(() => undefined)) : undefined;
  if (!parsed?.success) throw refused();
  return parsed.data;
}
