import type { Context } from "hono";
import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import type { Json } from "../../../src/common/json.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { arriving } from "./arriving.ts";
import { BODY_BOUNDS } from "./bounds.ts";
import { parseJson } from "./parse-json.ts";
import { mimeOf } from "./read-request.ts";

/** For requests that bring no files, in bytes. */
const MAX_BYTES = 64 * 2 ** 10;
/** From the first byte to the last, in milliseconds: it is in memory all the while. */
const WHOLE_MS = 60_000;

/**
 * Reads a small JSON body.
 * @param bytes the longest that is taken
 * @throws ReelayError `body_type`, `body_too_large`, `body_too_slow`, `body_unreadable`, `body_too_deep`
 */
export async function smallBody(c: Context, bytes = MAX_BYTES): Promise<Json> {
  const type = c.req.header("content-type") ?? "";
  if (mimeOf(type) !== "application/json") throw new ReelayError("body_type", { found: type });
  return parseJson(
    await text(Readable.from(arriving(c.req.raw, { ...BODY_BOUNDS, bytes, wholeMs: WHOLE_MS }))),
  );
}
