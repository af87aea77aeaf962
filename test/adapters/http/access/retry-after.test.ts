import { describe, expect, it } from "vitest";
import { retryAfter } from "../../../../adapters/http/access/retry-after.ts";
import { ReelayError } from "../../../../src/common/errors.ts";

const NOW = Date.parse("2026-12-31T23:59:00Z");

describe("how soon a refused request may be repeated", () => {
  it.each([
    [new ReelayError("partner_cap", { max: 1, period: "day", whose: "user" }), 60],
    [new ReelayError("partner_cap", { max: 1, period: "month", whose: "user" }), 60],
    [new ReelayError("partner_cap", { max: 1, period: "at_once", whose: "user" }), 10],
    [new ReelayError("idempotency_in_flight"), 1],
    [new ReelayError("maintenance"), 60],
    [new ReelayError("field_invalid"), undefined],
  ])("%s: %s s", (error, seconds) => {
    expect(retryAfter(error, NOW)).toBe(seconds);
  });

  it("is the end of the month, however long that is", () => {
    const error = new ReelayError("partner_cap", { max: 1, period: "month", whose: "partner" });
    expect(retryAfter(error, Date.parse("2028-02-28T00:00:00Z"))).toBe(2 * 24 * 3600);
  });
});
