import { describe, expect, it } from "vitest";
import type { AccountReading } from "../../../../src/domain/accounts/reading.ts";
import {
  type Evidence,
  type Listed,
  ON_ITS_WAY_MS,
  onItsWayFor,
} from "../../../../src/domain/jobs/reconciling/doubt.ts";
import { judge } from "../../../../src/domain/jobs/reconciling/evidence.ts";
import { byOurs, measureClock } from "../../../../src/domain/jobs/reconciling/service-clock.ts";
import { asOther } from "../../../../src/domain/jobs/other-job.ts";
import { countsOf, type OtherJob } from "../../../../src/domain/jobs/testimony.ts";
import { compare } from "../../../../src/domain/operations/likeness.ts";
import { aJob } from "../../../support/job.ts";

const HOUR = 3_600_000;
/** A service five hours behind UTC, measured. */
const clock = { least: -5 * HOUR - 1_000, most: -5 * HOUR + 1_000 };
const arrivedBy = 20_000 + ON_ITS_WAY_MS;

const reading = (at: number, tokens: number | null, total: number | null, failed = 0): AccountReading => ({
  from: at,
  to: at,
  tokens,
  totals: total === null ? null : { video: total, image: total },
  failed: total === null ? null : failed,
});
const record = (different: Partial<Listed> = {}): Listed => ({
  id: "one",
  type: "video",
  createdAt: 10_000 - 5 * HOUR,
  cost: 3,
  failed: false,
  taken: false,
  likeness: "same",
  ...different,
});
const other = (different: Partial<OtherJob> = {}): OtherJob => ({
  type: "video",
  sentAt: 30_000,
  acceptedAt: 31_000,
  cost: 3,
  ending: "none",
  ...different,
});
const before = reading(-1_000, 100, 7);
/** Nothing can arrive any more, nothing has moved, the list has nothing new. */
const still: Evidence = {
  doubt: { type: "video", listed: true, price: 3, sentAt: 0, arrivedBy },
  before,
  now: reading(arrivedBy, 100, 7),
  others: [],
  list: [],
  listTotal: null,
  clock,
};
const image = { ...still.doubt, type: "image", listed: false };
const fallen = { ...still, now: reading(arrivedBy, 97, 8) };
const early = reading(arrivedBy - 1, 97, 8);
const seen = { ...fallen, list: [record()] };
const pale = { ...fallen, list: [record({ likeness: "possible" })] };

/** The decision table of `judge`: what there is, and what it comes to. */
const TABLE: readonly (readonly [string, Evidence, string])[] = [
  ["nothing moved, nothing new", still, "not accepted"],
  ["the same of what is not listed", { ...still, doubt: image }, "not accepted"],
  ["the same, but it may still arrive", { ...still, now: reading(arrivedBy - 1, 100, 7) }, "unknown"],
  ["the same, but its price is not known", { ...still, doubt: { ...still.doubt, price: null } }, "unknown"],
  ["the same, but it may be free", { ...still, doubt: { ...still.doubt, price: 0 } }, "unknown"],
  ["nothing was read before", { ...still, before: null }, "unknown"],
  ["the balance alone stood still", { ...still, before: reading(-1_000, 100, null) }, "unknown, uncharged"],
  ["the balance was not read now", { ...still, now: reading(arrivedBy, null, 7) }, "unknown"],
  [
    "a job failed, whose refund may hide it",
    { ...still, now: reading(arrivedBy, 100, 7, 1) },
    "unknown, uncharged",
  ],
  [
    "the balance stood still, but one job is new",
    { ...still, now: reading(arrivedBy, 100, 8) },
    "unknown, uncharged",
  ],
  ["the balance fell, and no job is new", { ...still, now: reading(arrivedBy, 97, 7) }, "unknown, charged"],
  ["the balance fell by something else", { ...still, now: reading(arrivedBy, 95, 7) }, "unknown"],
  ["what is not listed was charged", { ...fallen, doubt: image }, "unknown, charged"],
  ["such jobs are not counted at all", { ...still, doubt: { ...image, type: "vid3" } }, "unknown, uncharged"],
  [
    "the list is as long as counted, and others of ours were charged around it",
    {
      ...still,
      now: reading(arrivedBy, 97, 8),
      others: [other({ sentAt: -2_000, acceptedAt: 500 })],
      list: [record({ taken: true })],
      listTotal: 8,
    },
    "not accepted",
  ],
  ["one new that shows the same", seen, "accepted"],
  ["one new that shows the same, at once", { ...seen, now: early }, "accepted"],
  [
    "it shows the same, though the clock was not measured",
    { ...seen, clock: undefined, listTotal: 8 },
    "accepted",
  ],
  ["the same, but the list may lack some", { ...seen, clock: undefined }, "unknown, charged"],
  [
    "one new that shows something else",
    { ...fallen, list: [record({ likeness: "other" })] },
    "unknown, uncharged",
  ],
  ["one that somebody of ours has", { ...fallen, list: [record({ taken: true })] }, "unknown, charged"],
  ["one made hours before", { ...fallen, list: [record({ createdAt: -8 * HOUR })] }, "unknown, charged"],
  [
    "two that show the same",
    { ...seen, now: reading(arrivedBy, 94, 9), list: [record(), record({ id: "two" })] },
    "unknown",
  ],
  ["one of two new ones is hidden", { ...seen, now: reading(arrivedBy, 94, 9) }, "unknown"],
  ["it shows the same, and nothing was read before", { ...seen, before: null }, "accepted"],
  [
    "the same, but it may still arrive, and nothing was read before",
    { ...seen, before: null, now: early },
    "unknown",
  ],
  ["one new that shows little", pale, "accepted"],
  ["one new that shows little, but ours may still arrive", { ...pale, now: early }, "unknown"],
  [
    "it shows little and cost something else",
    { ...fallen, list: [record({ likeness: "possible", cost: 5 })] },
    "unknown, charged",
  ],
  [
    "it shows little, and the balance did not fall",
    { ...pale, now: reading(arrivedBy, 100, 8) },
    "unknown, uncharged",
  ],
  [
    "it shows little, and no price",
    { ...fallen, list: [record({ likeness: "possible", cost: null })] },
    "accepted",
  ],
  [
    "it shows little, and no price, and the balance did not fall",
    { ...still, now: reading(arrivedBy, 100, 8), list: [record({ likeness: "possible", cost: null })] },
    "unknown, uncharged",
  ],
  [
    "it shows little, and its price is not known",
    { ...pale, doubt: { ...still.doubt, price: null } },
    "accepted",
  ],
  [
    "it shows little and cost something else, which is what was charged",
    { ...still, now: reading(arrivedBy, 95, 8), list: [record({ likeness: "possible", cost: 5 })] },
    "unknown",
  ],
  [
    "it shows little, beside what somebody else made and was charged for",
    {
      ...still,
      now: reading(arrivedBy, 92, 9),
      list: [record({ likeness: "possible" }), record({ id: "two", likeness: "other", cost: 5 })],
    },
    "accepted",
  ],
  [
    "it shows little, beside one of ours of another type",
    { ...pale, now: reading(arrivedBy, 94, 8), others: [other({ type: "image" })] },
    "accepted",
  ],
  [
    "it shows little, beside one of ours that was accepted",
    { ...pale, now: reading(arrivedBy, 94, 9), others: [other()] },
    "accepted",
  ],
  [
    "it shows little, and may be another's of ours in doubt",
    { ...pale, others: [other({ acceptedAt: null })] },
    "unknown",
  ],
  [
    "it shows little, nothing was counted, and the balance fell by one like it",
    { ...pale, before: reading(-1_000, 100, null), now: reading(arrivedBy, 97, null) },
    "accepted",
  ],
  [
    "it shows little, nothing was counted, and the balance fell by two like it",
    { ...pale, before: reading(-1_000, 100, null), now: reading(arrivedBy, 94, null) },
    "unknown",
  ],
  [
    "it shows little, nothing was counted, and nobody measured the clock",
    { ...pale, before: reading(-1_000, 100, null), now: reading(arrivedBy, 97, null), clock: undefined },
    "unknown, charged",
  ],
];

describe("the judgement of a lost answer", () => {
  it("waits a minute for the service and another for the network", () => {
    expect(ON_ITS_WAY_MS).toBe(2 * 60_000);
  });

  it.each(["https://api.example.com/api", "http://8.8.8.8/api", "https://xn--exmple-cua.com/api"])(
    "waits no less for %s, however short its window is",
    (address) => {
      for (const windowMs of [10, 6_000, 60_000, 3_600_000])
        for (const hosts of [
          { primary: address, "full-catalog": undefined },
          { primary: "http://127.0.0.1:1/api", "full-catalog": address },
        ])
          expect(onItsWayFor(hosts, windowMs)).toBe(ON_ITS_WAY_MS);
    },
  );

  it.each(["http://127.0.0.1:8080/api", "http://localhost/api", "http://[::1]/api", "http://10.0.0.7/api"])(
    "runs as fast as what is tried out at %s",
    (address) => {
      const hosts = { primary: address, "full-catalog": undefined };
      expect(onItsWayFor(hosts, 1_200)).toBe(2_400);
      expect(onItsWayFor(hosts, 60_000)).toBe(ON_ITS_WAY_MS);
    },
  );

  it.each(TABLE)("%s", (_name, evidence, expected) => {
    const verdict = judge(evidence);
    const charged = { true: ", charged", false: ", uncharged", null: "" };
    const said = verdict.is === "unknown" ? `unknown${charged[`${verdict.charged}`]}` : verdict.is;
    expect(said).toBe(expected);
  });

  it("accounts for what our other jobs were charged since", () => {
    const charged = { ...still, now: reading(arrivedBy, 97, 8) };
    expect(judge({ ...charged, others: [other()] }).is).toBe("not accepted");
    expect(judge({ ...charged, others: [other({ cost: null })] }).is).toBe("unknown");
    expect(judge({ ...charged, others: [other({ acceptedAt: null })] }).is).toBe("unknown");
    expect(judge({ ...charged, others: [other({ sentAt: -9_000, acceptedAt: -5_000 })] })).toEqual({
      is: "unknown",
      charged: true,
    });
  });
});

describe("the service's clock", () => {
  it("is measured by what it stamped while we waited, the nearest first", () => {
    const near = { sentAt: 1_000, acceptedAt: 2_000, createdAt: 1_500 - 5 * HOUR };
    const contradicts = { sentAt: -90 * HOUR, acceptedAt: -90 * HOUR + 10, createdAt: -90 * HOUR };
    const measured = measureClock([contradicts, near], 0);
    expect(measured).toEqual(measureClock([near], 0));
    expect(measured && byOurs(1_500 - 5 * HOUR, measured)).toEqual({ from: -3_000, to: 6_000 });
    expect(measureClock([], 0)).toBeUndefined();
  });
});

const error = (code: "job_failed" | "lost_track") => ({ code, params: {} }) as const;

describe("what our other jobs moved", () => {
  it("follows from where they are", () => {
    const accepted = aJob({ state: "running", submittedAt: 5, acceptedAt: 6, cost: 2 });
    const ending = (job: Parameters<typeof aJob>[0]) => asOther(aJob({ ...accepted, ...job }), 10, 3)?.ending;
    expect(asOther(accepted, 10, 3)).toEqual({
      type: "video",
      sentAt: 5,
      acceptedAt: 6,
      cost: 2,
      ending: "none",
    });
    expect(ending({ state: "failed", endedAt: 10, error: error("job_failed") })).toBe("refund");
    expect(ending({ state: "failed", endedAt: 9, error: error("job_failed") })).toBe("none");
    expect(ending({ state: "completed", endedAt: 10 })).toBe("none");
    expect(ending({ state: "completed", endedAt: 10, operation: "h3-text" })).toBe("unknown");
    const doubtful = { type: "video", sentAt: 5, acceptedAt: null, cost: 3, ending: "none" };
    expect(asOther(aJob({ state: "unsure", submittedAt: 5 }), 10, 3)).toEqual(doubtful);
    expect(asOther(aJob({ state: "failed", submittedAt: 5, error: error("lost_track") }), 10, 3)).toEqual(
      doubtful,
    );
    expect(asOther(aJob({ state: "failed", error: error("job_failed") }), 10, 3)).toBeUndefined();
    expect(asOther(aJob({ state: "queued" }), 10, 3)).toBeUndefined();
  });

  it("was sent after its own numbers were read, in the same millisecond too, so that it is no doubt for another", () => {
    const before = reading(5, 100, 0);
    const now = reading(50, 98, 1);
    const others = (submittedAt: number) => {
      const job = aJob({ state: "running", before, submittedAt, acceptedAt: 6, cost: 2 });
      return countsOf([asOther(job, 5, 3) ?? other()], "video", before, now);
    };
    expect([others(4), others(5), others(6)]).toEqual([[0, 1], [1], [1]]);
  });
});

describe("likeness", () => {
  it.each([
    [["slow  zoom", 6], ["slow zoom", 6], "same"],
    [["slow zoom", 6], ["slow zoom", 5], "other"],
    [["slow zoom", 6], ["slow pan", 6], "other"],
    [["slow zoom", 6], [null, 6], "possible"],
    [["slow zoom", 6], ["slow…", undefined], "possible"],
    [[null, "a template"], [null, null], "possible"],
    [["slow zoom", null], ["slow zoom", "a template"], "other"],
  ] as const)("of %j to %j is %s", (asked, shown, expected) => {
    expect(compare(asked, shown)).toBe(expected);
  });
});
