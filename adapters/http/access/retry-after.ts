import type { ReelayError } from "../../../src/common/errors.ts";

const MINUTE_S = 60;
const DAY_MS = 24 * 3_600_000;
/** Jobs take about as long. */
const AT_ONCE_S = 10;

/**
 * How soon a refused request may succeed, in seconds; undefined where repeating it cannot help, or where that was said
 * already.
 * @param now milliseconds since 1970
 */
export function retryAfter({ code, params, retryable }: ReelayError, now: number): number | undefined {
  if (!retryable || code === "too_many_requests") return undefined;
  if (code === "idempotency_in_flight") return 1;
  if (code === "too_many_open") return AT_ONCE_S;
  if (code !== "partner_cap") return MINUTE_S;
  if (params["period"] === "at_once") return AT_ONCE_S;
  return Math.ceil((endOf(params["period"] === "month" ? "month" : "day", now) - now) / 1000);
}

/** When the present day or month of UTC ends, in milliseconds since 1970. */
function endOf(period: "day" | "month", now: number): number {
  if (period === "day") return now - (now % DAY_MS) + DAY_MS;
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
