import type { Context } from "hono";
import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { arriving } from "./arriving.ts";
import { BODY_BOUNDS } from "./bounds.ts";
import { JSON_TYPE, readableType } from "./read-request.ts";

/** For requests that bring no files, in bytes. */
export const SMALL_BYTES = 64 * 2 ** 10;
/** From the first byte to the last, in milliseconds: it is in memory all the while. */
const WHOLE_MS = 60_000;

/**
 * Reads a small JSON body, for whoever parses it.
 * @param bytes the longest that is taken
 * @throws ReelayError `body_type`, `body_type_missing`, `body_too_large`, `body_too_slow`, `body_unreadable`
 */
export async function smallBody(c: Context, bytes = SMALL_BYTES): Promise<string> {
  readableType(c.req.raw.headers, [JSON_TYPE]);
  return text(Readable.from(arriving(c.req.raw, { ...BODY_BOUNDS, bytes, wholeMs: WHOLE_MS })));
}
