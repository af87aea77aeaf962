import type { ReelayError } from "../../../src/common/errors.ts";

const MINUTE_S = 60;
/** Jobs take about as long. */
const AT_ONCE_S = 10;

/**
 * How soon a refused request may succeed, in seconds; undefined where repeating it cannot help, or where that was said
 * already.
 */
export function retryAfter({ code, retryable }: ReelayError): number | undefined {
  if (!retryable || code === "too_many_requests") return undefined;
  if (code === "idempotency_in_flight") return 1;
  return code === "too_many_open" || code === "partner_cap" ? AT_ONCE_S : MINUTE_S;
}
