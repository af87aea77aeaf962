import { describe, expect, it } from "vitest";
import { retryAfter } from "../../../../adapters/http/access/retry-after.ts";
import { ReelayError } from "../../../../src/common/errors.ts";

describe("how soon a refused request may be repeated", () => {
  it.each([
    // The next day is no time to wait for: the answer says when that is.
    [new ReelayError("partner_period_cap", { max: 1, period: "day", whose: "user", until: 1 }), undefined],
    [new ReelayError("budget_spent", { until: 1 }), undefined],
    [new ReelayError("partner_cap", { max: 1, period: "at_once", whose: "user" }), 10],
    [new ReelayError("idempotency_in_flight"), 1],
    [new ReelayError("maintenance"), 60],
    [new ReelayError("field_invalid"), undefined],
  ])("%s: %s s", (error, seconds) => {
    expect(retryAfter(error)).toBe(seconds);
  });
});
