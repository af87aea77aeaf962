import { describe, expect, it } from "vitest";
import type { Evidence, Listed } from "../../../src/domain/jobs/reconciling/doubt.ts";
import { isExcluded, search } from "../../../src/domain/jobs/reconciling/list-search.ts";

const HOUR = 3_600_000;
const record = (different: Partial<Listed> = {}): Listed => ({
  id: "one",
  type: "video",
  createdAt: 10_000,
  cost: 3,
  failed: false,
  taken: false,
  likeness: "possible",
  ...different,
});
const at = (from: number, total: number) => ({
  from,
  to: from,
  tokens: null,
  totals: { video: total },
  failed: 0,
});
const clock = { least: -1_000, most: 1_000 };
/** A list of one that shows little, and statistics that count one more than before. */
const evidence: Evidence = {
  doubt: { type: "video", listed: true, price: 3, sentAt: 0, arrivedBy: 200_000 },
  before: at(-1_000, 0),
  now: at(200_000, 1),
  others: [],
  list: [record()],
  listTotal: 1,
  clock: undefined,
};
/** The list may lack something, so that its order tells nothing. */
const uncounted = { listTotal: null };
const same = [record({ likeness: "same" })];
const long = [record({ createdAt: -10 * HOUR })];

describe("no record could be the job", () => {
  it.each<[boolean, string, Partial<Evidence>]>([
    [false, "there is a new one by the count, whatever it shows", {}],
    [true, "what is there was counted before", { now: at(200_000, 0), before: at(-1_000, 0) }],
    [false, "there is one of that time by the service's clock, whatever it shows", { ...uncounted, clock }],
    [
      true,
      "none is of that time by the service's clock, whatever it shows",
      { ...uncounted, clock, list: long },
    ],
    [true, "nothing tells their times, and none shows the same", uncounted],
    [false, "nothing tells their times, and one shows the same", { ...uncounted, list: same }],
    [true, "none is there", { ...uncounted, list: [] }],
  ])("%s: %s", (excluded, _, different) => {
    expect(isExcluded(search({ ...evidence, ...different }))).toBe(excluded);
  });
});

describe("new jobs of the type that the list does not show", () => {
  const old = record({ id: "old", createdAt: -1_000_000 });
  /** One of ours that the numbers before may have counted already. */
  const straddling = { type: "video", sentAt: -5_000, acceptedAt: 5_000, cost: 3, ending: "none" } as const;
  it.each<[string, string, Partial<Evidence>]>([
    ["no", "as many are counted as it shows", { list: [record(), old] }],
    ["no", "none is counted, and it shows an old one alone", { list: [old], now: at(200_000, 0) }],
    ["certainly", "more are counted than it shows", { now: at(200_000, 2) }],
    ["possibly", "more are counted, which may be one of ours", { now: at(200_000, 2), others: [straddling] }],
    ["possibly", "one may have been there before", { list: [record({ createdAt: -1_500 })] }],
    ["unknown", "it shows more than are counted", { now: at(200_000, 0) }],
    ["unknown", "nothing was counted", { before: { ...at(-1_000, 0), totals: null } }],
  ])("%s: %s", (hidden, _, different) => {
    expect(search({ ...evidence, ...uncounted, clock, ...different }).hidden).toBe(hidden);
  });
});
