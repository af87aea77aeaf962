import { describe, expect, it } from "vitest";
import type { AccountReading } from "../../../src/domain/accounts/reading.ts";
import { HALF_A_CENT } from "../../../src/seam/amounts.ts";
import {
  countSays,
  countsOf,
  type OtherJob,
  rulesOut,
  shows,
  tokensSay,
} from "../../../src/domain/jobs/testimony.ts";

const reading = (from: number, to: number, tokens: number | null): AccountReading => ({
  from,
  to,
  tokens,
  totals: null,
  failed: null,
});
const before = reading(10, 20, 100);
const now = (tokens: number | null) => reading(100, 110, tokens);

const other = (different: Partial<OtherJob> = {}): OtherJob => ({
  type: "video",
  sentAt: 50,
  acceptedAt: 60,
  cost: 5,
  ending: "none",
  ...different,
});

const say = (left: number | null, others: readonly OtherJob[] = [], price: number | null = 3) =>
  tokensSay(before, now(left), others, price);

const doubtful = (count: number) =>
  Array.from({ length: count }, (_, nth) => other({ acceptedAt: null, cost: 2 ** nth }));

describe("how often another job may have been counted between two readings", () => {
  it.each([
    ["accepted before the first", { sentAt: 1, acceptedAt: 9 }, [0]],
    ["accepted as the first began", { sentAt: 1, acceptedAt: 10 }, [0, 1]],
    ["sent as the first ended", { sentAt: 20 }, [0, 1]],
    ["sent after the first and accepted before the second", { sentAt: 21, acceptedAt: 99 }, [1]],
    ["accepted as the second began", { acceptedAt: 100 }, [0, 1]],
    ["sent as the second ended", { sentAt: 110, acceptedAt: 120 }, [0, 1]],
    ["sent after the second", { sentAt: 111, acceptedAt: 120 }, [0]],
    ["of which nobody knows", { acceptedAt: null }, [0, 1]],
    ["of another type", { type: "image" }, [0]],
  ])("%s", (_when, different, expected) => {
    expect(countsOf([other(different)], "video", before, now(100))).toEqual(expected);
  });

  it("adds up, ascending", () => {
    const unknown = Array.from({ length: 11 }, () => other({ acceptedAt: null }));
    expect(countsOf([...unknown, other()], "video", before, now(100))).toEqual(
      Array.from({ length: 12 }, (_, nth) => nth + 1),
    );
  });

  it("is explained with one more or without", () => {
    expect(countSays(1, [0])).toEqual({ withoutIt: false, withIt: true });
    expect(countSays(1, [1])).toEqual({ withoutIt: true, withIt: false });
    expect(countSays(1, [0, 1])).toEqual({ withoutIt: true, withIt: true });
    expect(countSays(3, [0, 1])).toEqual({ withoutIt: false, withIt: false });
  });
});

describe("what a balance says of a job", () => {
  const without = { withoutIt: true, withIt: false };
  const within = { withoutIt: false, withIt: true };
  const neither = { withoutIt: false, withIt: false };

  it("is nothing where something is not known, or the job may be free", () => {
    expect(say(null)).toBeUndefined();
    expect(tokensSay({ ...before, tokens: null }, now(100), [], 3)).toBeUndefined();
    expect(say(100, [], null)).toBeUndefined();
    expect(say(100, [], HALF_A_CENT * 0.99)).toBeUndefined();
    expect(say(100, [], HALF_A_CENT)).toBeDefined();
    expect(say(100, [other({ cost: null })])).toBeUndefined();
    expect(say(100, [other({ ending: "unknown" })])).toBeUndefined();
  });

  it("follows from what was charged, and what others were", () => {
    expect(say(100)).toEqual(without);
    expect(say(97)).toEqual(within);
    expect(say(95, [other()])).toEqual(without);
    expect(say(92, [other()])).toEqual(within);
    expect(say(97, [other()])).toEqual(neither);
    expect(say(99.9, [other({ cost: 0.1 })])).toEqual(without);
    // It was counted before already, whatever it cost.
    expect(say(100, [other({ sentAt: 1, acceptedAt: 2, cost: null })])).toEqual(without);
  });

  it("may be moved by a refund", () => {
    const earlier = other({ sentAt: 1, acceptedAt: 2, ending: "refund" });
    expect(say(105, [earlier])).toEqual(without);
    expect(say(102, [earlier])).toEqual(within);
    expect(say(95, [earlier])).toEqual(neither);
    expect(say(100, [other({ ending: "refund" })])).toEqual(without);
  });

  it("is exact to less than half a cent", () => {
    const from = { ...before, tokens: HALF_A_CENT };
    expect(tokensSay(from, now(0), [], 3)).toEqual(neither);
    expect(tokensSay({ ...before, tokens: HALF_A_CENT * 0.9 }, now(0), [], 3)).toEqual(without);
  });

  it("is nothing where there are too many ways to add up what others may have been charged", () => {
    expect(say(100, doubtful(12), 5_000)).toEqual(without);
    expect(say(100, doubtful(13), 50_000)).toBeUndefined();
  });

  it("is certain only one way", () => {
    expect([shows(within), shows(without), shows(undefined)]).toEqual([true, false, false]);
    expect([rulesOut(within), rulesOut(without), rulesOut(null)]).toEqual([false, true, false]);
    const both = { withoutIt: true, withIt: true };
    expect([shows(both), rulesOut(both), shows(neither), rulesOut(neither)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
