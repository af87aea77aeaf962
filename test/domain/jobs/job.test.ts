import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after, IllegalTransition, isOpen, type Job, type Transition } from "../../../src/domain/jobs/job.ts";
import { aJob } from "../../support/job.ts";

const time = fc.integer({ min: 1, max: 2 ** 40 });
const event: fc.Arbitrary<Transition> = fc.oneof(
  fc.record({ type: fc.constant("submitting" as const), at: time, balance: fc.constantFrom(100, null) }),
  fc.record({ type: fc.constant("postponed" as const), until: time }),
  fc.record({ type: fc.constant("lost" as const), at: fc.nat() }),
  fc.record({ type: fc.constant("absent" as const) }),
  fc.record({
    type: fc.constant("accepted" as const),
    at: time,
    serviceId: fc.uuid(),
    cost: fc.constantFrom(null, 4.5),
    balance: fc.constantFrom(null, 95.5),
  }),
  fc.record({ type: fc.constant("progressed" as const), progress: fc.integer({ min: 0, max: 100 }) }),
  fc.record({
    type: fc.constant("completed" as const),
    at: time,
    result: fc.constant(["/video.mp4"]),
    cost: fc.constantFrom(null, 5),
  }),
  fc.record({
    type: fc.constant("failed" as const),
    at: time,
    error: fc.constant({ code: "job_failed" as const, params: {} }),
    cost: fc.constantFrom(null, 0),
  }),
  fc.record({ type: fc.constant("cancelled" as const), at: time }),
  fc.record({ type: fc.constant("delivering" as const) }),
  fc.record({ type: fc.constant("delivered" as const), at: time }),
  fc.record({ type: fc.constant("deferred" as const), until: time }),
  fc.record({ type: fc.constant("undeliverable" as const) }),
  fc.record({ type: fc.constant("redeliver" as const) }),
);

/** The life that a list of events makes of a job; those that do not fit are left out. */
function live(events: readonly Transition[]): { lives: Job[]; taken: Transition[] } {
  const lives = [aJob()];
  const taken: Transition[] = [];
  for (const next of events) {
    const job = lives.at(-1);
    if (!job) break;
    try {
      lives.push(after(job, next));
      taken.push(next);
    } catch (error) {
      if (!(error instanceof IllegalTransition)) throw error;
    }
  }
  return { lives, taken };
}

/** Whether what was known before an event is known after it. */
const keeps = (before: Job, job: Job) =>
  (before.serviceId === null || job.serviceId === before.serviceId) &&
  (before.cost === null || job.cost !== null) &&
  (job.progress ?? 0) >= (before.progress ?? 0);

const anyLife = fc.array(event, { maxLength: 60 }).map(live);

describe("a job's life", () => {
  it("never submits again what was accepted, lost and not found absent, or ended", () => {
    // Between two POSTs there is always the certainty that the service has nothing of the first.
    const certain = new Set<Transition["type"]>(["postponed", "absent"]);
    fc.assert(
      fc.property(anyLife, ({ taken }) => {
        const submitted = taken.flatMap(({ type }, index) => (type === "submitting" ? [index] : []));
        return submitted.every((index, nth) => {
          const next = submitted[nth + 1];
          return next === undefined || taken.slice(index, next).some(({ type }) => certain.has(type));
        });
      }),
    );
  });

  it("is accepted at most once", () => {
    fc.assert(
      fc.property(anyLife, ({ taken }) => taken.filter(({ type }) => type === "accepted").length <= 1),
    );
  });

  it("owes its outcome to the person from the moment it has ended until it was told or cannot be", () => {
    fc.assert(
      fc.property(anyLife, ({ lives }) =>
        lives.every(({ state, delivery }) => isOpen(state) === (delivery === "none")),
      ),
    );
  });

  it("keeps what is known: the service's id and the charge never vanish, progress never falls", () => {
    fc.assert(
      fc.property(anyLife, ({ lives }) =>
        lives.slice(1).every((job, index) => keeps(lives[index] ?? job, job)),
      ),
    );
  });

  it("stays as it was when an event does not fit", () => {
    const job = aJob();
    expect(() => after(job, { type: "delivered", at: 1 })).toThrow(IllegalTransition);
    expect(() => after({ ...job, state: "unsure" }, { type: "submitting", at: 1, balance: null })).toThrow(
      IllegalTransition,
    );
    expect(job).toEqual(aJob());
  });
});

const left = (job: Job, cost: number | null) =>
  after(job, { type: "completed", at: 9, result: ["/video.mp4"], cost }).balance;

describe("what is left of the balance", () => {
  const running = aJob({ state: "running", cost: 4.5, balance: 95.5 });

  it("follows what the end settles the charge at", () => {
    expect(left(running, 5)).toBe(95);
    expect(left(running, 4)).toBe(96);
    expect(left(running, null)).toBe(95.5);
    const failed = { type: "failed", at: 9, error: { code: "job_failed", params: {} } } as const;
    expect(after(running, { ...failed, cost: 0 }).balance).toBe(100);
  });

  it("stays what it was where the charge was not known, and unknown where it was", () => {
    expect(left({ ...running, cost: null }, 5)).toBe(95.5);
    expect(left({ ...running, balance: null }, 5)).toBeNull();
  });
});
