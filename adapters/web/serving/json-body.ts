import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { ReelayError } from "../../../src/common/errors.ts";

/** The largest JSON body, in bytes: two prompts of the longest kind and some. */
const MAX_JSON_BYTES = 256 * 1024;

/** Refuses bodies that are larger than anything the page sends. */
export const jsonOnly = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: () => {
    throw new ReelayError("bad_request", { reason: "JSON" });
  },
});

/** A request's JSON body; other content types are refused, since browsers let any site send those. */
export async function bodyOf<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim();
  const parsed =
    type === "application/json" ? schema.safeParse(await c.req.json().catch(() => undefined)) : undefined;
  if (!parsed?.success) throw new ReelayError("bad_request", { reason: "JSON" });
  return parsed.data;
}
