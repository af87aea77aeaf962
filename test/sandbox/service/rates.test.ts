import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RATE_LIMITS } from "../../../src/common/contract.ts";
import { Rates } from "../../../src/sandbox/service/rates.ts";

describe("Rates", () => {
  it("takes exactly the limit, then refuses until the first request is a window old", () => {
    let now = 0;
    const rates = new Rates(60_000, "sliding", () => now);
    for (let n = 0; n < RATE_LIMITS.video; n += 1) {
      now = n * 100;
      expect(rates.take("video", ["ip"])).toBe(true);
    }
    now = 59_999;
    expect(rates.take("video", ["ip"])).toBe(false);
    now = 60_000;
    expect(rates.take("video", ["ip"])).toBe(true);
    expect(rates.take("video", ["ip"])).toBe(false);
  });

  it("counts per IP and per key: both need room, and a refusal counts for neither", () => {
    const rates = new Rates(60_000, "sliding", () => 0);
    for (let n = 0; n < RATE_LIMITS.delete; n += 1) rates.take("delete", ["ip a", "key 1"]);
    expect(rates.take("delete", ["ip b", "key 1"])).toBe(false);
    expect(rates.take("delete", ["ip a", "key 2"])).toBe(false);
    for (let n = 0; n < RATE_LIMITS.delete; n += 1)
      expect(rates.take("delete", ["ip b", "key 2"])).toBe(true);
  });

  it("counts groups apart", () => {
    const rates = new Rates(60_000, "sliding", () => 0);
    for (let n = 0; n < RATE_LIMITS.video; n += 1) rates.take("video", ["ip"]);
    expect(rates.take("video", ["ip"])).toBe(false);
    expect(rates.take("status", ["ip"])).toBe(true);
  });

  it("starts anew with each window when windows are fixed", () => {
    let now = 59_999;
    const rates = new Rates(60_000, "fixed", () => now);
    for (let n = 0; n < RATE_LIMITS.video; n += 1) expect(rates.take("video", ["ip"])).toBe(true);
    expect(rates.take("video", ["ip"])).toBe(false);
    now = 60_000;
    expect(rates.take("video", ["ip"])).toBe(true);
  });

  it("never lets more than the limit into any window, whatever the arrivals", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(8000), { minLength: 30, maxLength: 120 }), (gaps) => {
        let now = 0;
        const rates = new Rates(60_000, "sliding", () => now);
        const taken: number[] = [];
        for (const gap of gaps) {
          now += gap;
          if (rates.take("video", ["ip"])) taken.push(now);
        }
        for (const start of taken) {
          const inside = taken.filter((at) => at >= start && at < start + 60_000);
          expect(inside.length).toBeLessThanOrEqual(RATE_LIMITS.video);
        }
      }),
    );
  });
});
