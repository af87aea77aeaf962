import { describe, expect, it } from "vitest";
import type { Evidence, Listed } from "../../../../src/domain/jobs/reconciling/doubt.ts";
import { isExcluded, search } from "../../../../src/domain/jobs/reconciling/list-search.ts";
import { byOurs } from "../../../../src/domain/jobs/reconciling/service-clock.ts";

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

/** When a record was made, by the service's clock, that was made at this time at the earliest, or at the latest. */
const lastOf = (time: number) => time - byOurs(0, clock).from;
const firstOf = (time: number) => time - byOurs(0, clock).to;

describe("a record could be the job", () => {
  it.each([
    [true, "accepted at the last moment", lastOf(200_000)],
    [false, "made after it", lastOf(200_000) + 1],
    [true, "made at the first moment", firstOf(0)],
    [false, "made before it", firstOf(0) - 1],
  ])("%s: it was %s", (isNear, _, createdAt) => {
    const { near } = search({ ...evidence, ...uncounted, clock, list: [record({ createdAt })] });
    expect(near).toHaveLength(isNear ? 1 : 0);
  });
});

describe("a job is somebody else's", () => {
  it.each([
    [true, "from the moment on when the numbers were read", firstOf(-1_000)],
    [false, "before it", firstOf(-1_000) - 1],
  ])("%s: it was made %s", (isForeign, _, createdAt) => {
    const { foreign } = search({ ...evidence, ...uncounted, clock, list: [record({ createdAt })] });
    expect(foreign).toHaveLength(isForeign ? 1 : 0);
  });
});

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
  /** One of ours that certainly was counted since. */
  const certain = { ...straddling, sentAt: 5_000, acceptedAt: 6_000 } as const;
  it.each<[string, string, Partial<Evidence>]>([
    ["no", "as many are counted beside one of ours", { now: at(200_000, 2), others: [certain] }],
    ["unknown", "fewer are counted beside one of ours", { others: [certain] }],
    ["certainly", "more are counted beside one of ours", { now: at(200_000, 3), others: [certain] }],
    ["no", "as many are counted as it shows", { list: [record(), old] }],
    ["no", "none is counted, and it shows an old one alone", { list: [old], now: at(200_000, 0) }],
    ["certainly", "more are counted than it shows", { now: at(200_000, 2) }],
    ["possibly", "more are counted, which may be one of ours", { now: at(200_000, 2), others: [straddling] }],
    ["possibly", "one may have been there before", { list: [record({ createdAt: -1_500 })] }],
    ["possibly", "one may be of another type", { list: [record({ type: null })] }],
    ["unknown", "it shows more than are counted", { now: at(200_000, 0) }],
    [
      "possibly",
      "one may have been read at the very moment",
      { list: [record({ createdAt: lastOf(-1_000) })] },
    ],
    ["no", "one was made the moment after", { list: [record({ createdAt: lastOf(-1_000) + 1 })] }],
    ["possibly", "one may have been made as it was read", { list: [record({ createdAt: firstOf(-1_000) })] }],
    ["certainly", "one was made the moment before", { list: [record({ createdAt: firstOf(-1_000) - 1 })] }],
    [
      "unknown",
      "of ours there are too many to count",
      { others: Array.from({ length: 4_100 }, () => straddling) },
    ],
    ["unknown", "nothing was counted", { before: { ...at(-1_000, 0), totals: null } }],
  ])("%s: %s", (hidden, _, different) => {
    expect(search({ ...evidence, ...uncounted, clock, ...different }).hidden).toBe(hidden);
  });
});
