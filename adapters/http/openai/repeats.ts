import type { Context } from "hono";
import { createHash, randomUUID } from "node:crypto";
import type { SharedMemory } from "../../../src/common/memory.ts";
import { checkedKey } from "../jobs/idempotency.ts";
import type { KeyOf } from "../jobs/submissions.ts";

/** OpenAI's clients wait ten minutes for an answer, and then a few seconds before they ask again. In milliseconds. */
const COMES_BACK_MS = 15 * 60_000;

/**
 * The idempotency key of a request of OpenAI's. Its clients send none of themselves: they say with each request how often
 * they had sent it before. So what is sent again is known by that and by what is in it, and gets the key of the last request
 * like it; of two who ask for the very same at the same time, one whose answer was lost may get the other's.
 * @throws ReelayError `idempotency_key_invalid`
 */
export function keyOf(c: Context, memory: SharedMemory, scope: string): string | KeyOf {
  const given = c.req.header("idempotency-key");
  if (given !== undefined) return checkedKey(given);
  const again = Number(c.req.header("x-stainless-retry-count") ?? 0) > 0;
  return async (fingerprint) => {
    const asked = createHash("sha256").update(`${scope} ${fingerprint}`).digest("hex");
    let key: string = randomUUID();
    const change = (before: string | undefined) => (key = (again ? before : undefined) ?? key);
    await memory.change<string>(`asked ${asked}`, change, COMES_BACK_MS);
    return key;
  };
}
