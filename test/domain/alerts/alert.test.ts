import { describe, expect, it } from "vitest";
import { type AlertState, isOver, seen } from "../../../src/domain/alerts/alert.ts";
import { patienceOf } from "../../../src/domain/alerts/patience.ts";
import { ALERT_KINDS } from "../../../src/seam/access/alerts.ts";

const patience = { holdsMs: 60, endsMs: 100 };

/** What is known after it was seen at each of some times. */
const seenAt = (...times: readonly number[]) =>
  times.reduce<AlertState | undefined>((before, now) => seen(before, now, patience), undefined);

describe("an alert", () => {
  it("begins once it was seen for long enough, also with short breaks", () => {
    expect(seenAt(0)).toEqual({ since: 0, seenAt: 0, isOn: false });
    expect(seenAt(0, 59)?.isOn).toBe(false);
    expect(seenAt(0, 60)).toEqual({ since: 0, seenAt: 60, isOn: true });
  });

  it("begins anew where it was away for as long as would end it", () => {
    expect(seenAt(0, 99)?.since).toBe(0);
    expect(seenAt(0, 100)).toEqual({ since: 100, seenAt: 100, isOn: false });
  });

  it("goes on once it has begun, however long nobody looked", () => {
    expect(seenAt(0, 60, 5_000)).toEqual({ since: 0, seenAt: 5_000, isOn: true });
  });

  it("is over when nobody has seen it for long enough, though somebody looked", () => {
    expect(isOver({ seenAt: 0 }, 99, 0, patience)).toBe(false);
    expect(isOver({ seenAt: 0 }, 100, 0, patience)).toBe(true);
    // Whoever has just started has not looked for long enough to say so.
    expect(isOver({ seenAt: 0 }, 5_000, 4_950, patience)).toBe(false);
    expect(isOver({ seenAt: 0 }, 5_050, 4_950, patience)).toBe(true);
  });

  it("neither begins at once nor lasts for good where the clock was set back", () => {
    expect(seen({ since: 9_000, seenAt: 9_000, isOn: false }, 10, patience)).toEqual({
      since: 10,
      seenAt: 10,
      isOn: false,
    });
    expect(isOver({ seenAt: 9_000 }, 10, 0, patience)).toBe(false);
    const clock = seen({ since: 9_000, seenAt: 9_000, isOn: true }, 10, patience);
    expect(isOver(clock, 110, 0, patience)).toBe(true);
  });

  it.each(ALERT_KINDS)("waits before it begins and before it is over: %s", (kind) => {
    const { holdsMs, endsMs } = patienceOf(kind, 300_000);
    expect(holdsMs).toBeGreaterThanOrEqual(30_000);
    expect(endsMs).toBeGreaterThanOrEqual(120_000);
  });
});
