import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fateOf } from "../../../src/domain/webhooks/schedule.ts";
import { HOUR, MINUTE, SECOND } from "./harness.ts";

const NOW = Date.UTC(2026, 0, 30, 12);
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** How long after a failure a message is tried again; undefined: not at all. */
function pause(status: number | null, retryAfter?: string, failures = 0): number | undefined {
  const fate = fateOf({ status, retryAfter }, failures, NOW, 0.5);
  return fate.state === "due" ? fate.nextAt - NOW : undefined;
}

describe("what becomes of a message", () => {
  it("is delivered by any 2xx, and by nothing else", () => {
    const property = fc.property(fc.integer({ min: 100, max: 599 }), fc.nat(20), (status, failures) => {
      const { state } = fateOf({ status }, failures, NOW, 0.5);
      expect(state === "delivered").toBe(status >= 200 && status <= 299);
    });
    fc.assert(property);
  });

  it("is tried ten times, with the pauses that Standard Webhooks recommends", () => {
    expect(PAUSES.map((_, failures) => pause(500, undefined, failures))).toEqual(PAUSES);
    expect(fateOf({ status: 500 }, PAUSES.length, NOW, 0.5)).toEqual({ state: "failed" });
  });

  it("is tried again after pauses that differ by a tenth at most", () => {
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    const property = fc.property(fc.nat(PAUSES.length - 1), chance, (failures, chance) => {
      const fate = fateOf({ status: null }, failures, NOW, chance);
      const wanted = PAUSES[failures] ?? 0;
      const found = fate.state === "due" ? fate.nextAt - NOW : 0;
      expect(Math.abs(found - wanted)).toBeLessThanOrEqual(wanted / 10);
    });
    fc.assert(property);
    expect(fateOf({ status: 500 }, 0, NOW, 0)).toEqual({ state: "due", nextAt: NOW + 4_500 });
    expect(fateOf({ status: 500 }, 0, NOW, 1)).toEqual({ state: "due", nextAt: NOW + 5_500 });
  });

  it.each([301, 302, 303, 307, 308, 400, 401, 404, 429, 500, null])("is tried again after %s", (status) => {
    expect(pause(status)).toBe(5 * SECOND);
  });

  it("ends where the receiver says that it is gone", () => {
    expect(fateOf({ status: 410 }, 0, NOW, 0.5)).toEqual({ state: "gone" });
  });

  it.each([429, 503])("waits as long as a receiver asks for with %s", (status) => {
    expect(pause(status, "120")).toBe(2 * MINUTE);
    expect(pause(status, new Date(NOW + HOUR).toUTCString())).toBe(HOUR);
  });

  it("waits no shorter because of that than it would have, and no longer than a day", () => {
    expect(pause(503, "1")).toBe(5 * SECOND);
    expect(pause(503, new Date(NOW - HOUR).toUTCString())).toBe(5 * SECOND);
    expect(pause(429, "999999999")).toBe(24 * HOUR);
    expect(pause(429, "Fri, 01 Jan 2100 00:00:00 GMT")).toBe(24 * HOUR);
  });

  it.each(["", "soon", "-5", "1e3"])("takes %j for nothing said", (retryAfter) => {
    expect(pause(503, retryAfter)).toBe(5 * SECOND);
  });

  it("does not let other answers say when", () => {
    expect(pause(500, "3600")).toBe(5 * SECOND);
  });
});
