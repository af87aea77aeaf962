import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Durations } from "../../../../src/domain/jobs/experience/durations.ts";
import { plan, type PollBounds, type Watch } from "../../../../src/domain/jobs/polling/poll-plan.ts";

const bounds: PollBounds = { pollMs: 5_000, readsPerMs: (120 * 0.8) / 60_000 };

/** Many jobs took between two times, each about as often. */
const between = (leastMs: number, mostMs: number) =>
  Durations.around((leastMs + mostMs) / 2, (mostMs - leastMs) / 4, 48);

function aWatch(different: Partial<Watch> = {}): Watch {
  const usual: Watch = {
    id: "a",
    keyId: "key",
    listed: true,
    acceptedAt: 0,
    durations: undefined,
    ranMs: 0,
    readAt: undefined,
    needsDetail: false,
    notBefore: 0,
    isHeld: false,
  };
  return { ...usual, ...different };
}

/** Plays a whole day of polling: which reads happen, and how late each end is seen. */
function play(jobs: readonly { watch: Watch; endsAt: number }[], until: number) {
  const open = new Map(jobs.map(({ watch, endsAt }) => [watch.id, { watch, endsAt }]));
  const reads: { at: number; kind: string; ids: string[] }[] = [];
  const lags: number[] = [];
  for (let now = 0; now < until && open.size > 0;) {
    const accepted = [...open.values()].filter(({ watch }) => watch.acceptedAt <= now);
    const next = plan(
      accepted.map(({ watch }) => watch),
      now,
      bounds,
    );
    if ("waitUntil" in next) {
      const coming = [...open.values()].map(({ watch }) => watch.acceptedAt).filter((at) => at > now);
      now = Math.min(next.waitUntil, ...coming, until);
      continue;
    }
    reads.push({ at: now, kind: next.read.kind, ids: next.read.watches.map(({ id }) => id) });
    for (const { id } of next.read.watches) {
      const job = open.get(id);
      if (!job) continue;
      job.watch = { ...job.watch, readAt: now };
      if (job.endsAt <= now) {
        lags.push(now - job.endsAt);
        open.delete(id);
      }
    }
    // One read takes a little time.
    now += 1;
  }
  return { reads, lags, missed: open.size };
}

/** Mean lag and reads a job, when so many of 50 to 70 s are accepted in each minute, each under its own key. */
function atRate(perMinute: number) {
  const jobs = Array.from({ length: 5 * perMinute }, (_, index) => {
    const acceptedAt = Math.round((index * 60_000) / perMinute);
    const watch = aWatch({
      id: `${index}`,
      keyId: `${index}`,
      acceptedAt,
      durations: between(50_000, 70_000),
    });
    return { watch, endsAt: acceptedAt + 50_000 + ((index * 7_919) % 20_000) };
  });
  const { reads, lags } = play(jobs, 1_000_000);
  return {
    lag: lags.reduce((sum, lag) => sum + lag, 0) / lags.length,
    reads: reads.length / jobs.length,
  };
}

/** The jobs that are read first, a hundred seconds after the first was accepted. */
const first = (...watches: readonly Watch[]) => {
  const next = plan(watches, 100_000, bounds);
  return "read" in next ? next.read.watches.map(({ id }) => id) : [];
};

describe("the poll plan", () => {
  it("never reads one job twice within the least time between two reads", () => {
    const job = fc.record({
      id: fc.uuid(),
      keyId: fc.constantFrom("a", "b", "c"),
      listed: fc.boolean(),
      acceptedAt: fc.integer({ min: 0, max: 60_000 }),
      durations: fc.option(
        fc.integer({ min: 0, max: 90_000 }).map((ms) => between(ms / 2, ms)),
        { nil: undefined },
      ),
      took: fc.integer({ min: 0, max: 120_000 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(job, { maxLength: 30, selector: ({ id }) => id }), (jobs) => {
        const { reads, missed } = play(
          jobs.map(({ took, ...watch }) => ({ watch: aWatch(watch), endsAt: watch.acceptedAt + took })),
          1_000_000,
        );
        expect(missed).toBe(0);
        const last = new Map<string, number>();
        for (const { at, ids } of reads) {
          for (const id of ids) {
            expect(at - (last.get(id) ?? -Infinity)).toBeGreaterThanOrEqual(bounds.pollMs);
            last.set(id, at);
          }
        }
      }),
    );
  });

  it("asks one page of the list for all listed jobs of a key, and single jobs by themselves", () => {
    const watches = [
      aWatch({ id: "a" }),
      aWatch({ id: "b" }),
      aWatch({ id: "alone", keyId: "other" }),
      aWatch({ id: "unlisted", listed: false }),
    ];
    const reads = new Set<string>();
    let left = watches;
    for (let now = 10_000; left.length > 0; now += 1) {
      const next = plan(left, now, bounds);
      if (!("read" in next)) continue;
      reads.add(`${next.read.kind}:${next.read.watches.map(({ id }) => id).join("+")}`);
      left = left.filter((watch) => !next.read.watches.includes(watch));
    }
    expect(reads).toEqual(new Set(["list:a+b", "job:alone", "job:unlisted"]));
  });

  it("waits for the usual end of a job when there are no reads to spare", () => {
    const many = Array.from({ length: 160 }, (_, index) =>
      aWatch({ id: `${index}`, listed: false, acceptedAt: index * 375, durations: between(60_000, 60_000) }),
    );
    const { reads, lags, missed } = play(
      many.map((watch) => ({ watch, endsAt: watch.acceptedAt + 59_000 })),
      600_000,
    );
    expect(missed).toBe(0);
    expect(reads.length / many.length).toBeLessThan(2);
    expect(Math.max(...lags)).toBeLessThan(60_000);
  });

  it("finds late jobs with a lag of about a tenth of their lateness, or one interval", () => {
    const { lags } = play(
      [{ watch: aWatch({ durations: between(30_000, 30_000), listed: false }), endsAt: 150_000 }],
      1_000_000,
    );
    expect(lags[0]).toBeLessThanOrEqual(Math.max(bounds.pollMs, (150_000 - 30_000) * 0.1 * 1.2));
  });

  it("asks from the soonest end on while reads suffice, and later the scarcer they are", () => {
    const [spare, tight] = [atRate(20), atRate(60)];
    expect(spare.lag).toBeLessThan(0.6 * bounds.pollMs);
    expect(spare.reads).toBeGreaterThan(2);
    expect(tight.reads).toBeLessThan(0.75 * spare.reads);
    expect(tight.lag).toBeLessThan(2 * bounds.pollMs);
  });

  it("reads for progress before the usual end while there are reads to spare", () => {
    const { reads } = play(
      [{ watch: aWatch({ durations: between(60_000, 60_000) }), endsAt: 60_000 }],
      1_000_000,
    );
    expect(reads.map(({ at }) => at)).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
  });

  it("reads jobs that come faster than they can be read, though nothing has been learned", () => {
    const jobs = Array.from({ length: 260 }, (_, index) => {
      const acceptedAt = Math.round((index * 60_000) / 130);
      return { watch: aWatch({ id: `${index}`, listed: false, acceptedAt }), endsAt: 10_000_000 };
    });
    const { reads } = play(jobs, 90_000);
    expect(reads[0]?.at).toBeLessThanOrEqual(12 * bounds.pollMs);
  });

  it("reads the oldest one first of a kind of which none has ended yet: the others are expected to run as long", () => {
    const unknown = { listed: false, ranMs: 70_000 };
    const old = aWatch({ ...unknown, id: "old", readAt: 70_000 });
    const young = aWatch({ ...unknown, id: "young", acceptedAt: 60_000 });
    expect(first(young, old)).toEqual(["old"]);
    const usual = aWatch({
      id: "usual",
      listed: false,
      acceptedAt: 28_000,
      durations: between(60_000, 80_000),
    });
    expect(first(young, usual)).toEqual(["usual"]);
    // Where nothing else is to be read, it is: one that never ends must not keep all others waiting.
    expect(first(young)).toEqual(["young"]);
  });

  it("reads a page sooner than one job where as much is to be gained, and what must have ended before what may have", () => {
    const durations = between(60_000, 80_000);
    const may = aWatch({ id: "may", listed: false, acceptedAt: 30_000, readAt: 30_000, durations });
    const must = aWatch({ id: "must", listed: false, acceptedAt: 15_000, readAt: 88_000, durations });
    expect(first(may, must)).toEqual(["must"]);
    const listed = ["a", "b", "c"].map((id) => aWatch({ id, acceptedAt: 30_000, readAt: 30_000, durations }));
    expect(first(may, ...listed)).toEqual(["a", "b", "c"]);
  });

  it("reads first, of those that are due, where most waiting has probably gathered", () => {
    const usual = { listed: false, durations: between(60_000, 80_000) };
    const justOver = aWatch({ ...usual, id: "just over", acceptedAt: 20_000, readAt: 90_000 });
    const longOver = aWatch({ ...usual, id: "long over", acceptedAt: 0, readAt: 70_000 });
    const list = ["a", "b", "c"].map((id) => aWatch({ ...usual, id, listed: true, readAt: 70_000 }));
    expect(first(justOver, longOver)).toEqual(["long over"]);
    expect(first(longOver, justOver)).toEqual(["long over"]);
    expect(first(longOver, ...list)).toEqual(["a", "b", "c"]);
    const told = aWatch({ ...usual, id: "told", needsDetail: true, acceptedAt: 90_000, readAt: 95_000 });
    expect(first(longOver, ...list, told)).toEqual(["told"]);
    // What its kind never outlasts has waited since it was last seen to run.
    const late = aWatch({ ...usual, id: "late", readAt: 85_000 });
    const usually = aWatch({ ...usual, id: "usually", acceptedAt: 25_000 });
    expect(first(usually, late)).toEqual(["late"]);
  });
});
