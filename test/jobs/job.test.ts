import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after, IllegalTransition, isOpen, type Job, type JobEvent } from "../../src/jobs/job.ts";
import { aJob } from "../support/job.ts";

const time = fc.integer({ min: 1, max: 2 ** 40 });
const event: fc.Arbitrary<JobEvent> = fc.oneof(
  fc.record({ type: fc.constant("submitting" as const), at: time }),
  fc.record({ type: fc.constant("postponed" as const), until: time }),
  fc.record({ type: fc.constant("lost" as const) }),
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
function live(events: readonly JobEvent[]): { lives: Job[]; taken: JobEvent[] } {
  const lives = [aJob()];
  const taken: JobEvent[] = [];
  for (const next of events) {
    const job = lives.at(-1);
    if (!job) break;
    try {
      lives.push(after(job, next));
      taken.push(next);
    } catch (error) {
      expect(error).toBeInstanceOf(IllegalTransition);
    }
  }
  return { lives, taken };
}

const anyLife = fc.array(event, { maxLength: 60 }).map(live);

describe("a job's life", () => {
  it("never submits again what was accepted, lost and not found absent, or ended", () => {
    fc.assert(
      fc.property(anyLife, ({ taken }) => {
        let mayLeave = true;
        for (const { type } of taken) {
          if (type === "submitting") {
            expect(mayLeave).toBe(true);
            mayLeave = false;
          }
          // Only certainty that the service has nothing opens the way for another POST.
          if (type === "postponed" || type === "absent") mayLeave = true;
          if (type === "accepted" || type === "failed" || type === "cancelled") mayLeave = false;
        }
      }),
    );
  });

  it("is accepted at most once", () => {
    fc.assert(
      fc.property(anyLife, ({ taken }) => {
        expect(taken.filter(({ type }) => type === "accepted").length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("owes its outcome to the person from the moment it has ended until it was told or cannot be", () => {
    fc.assert(
      fc.property(anyLife, ({ lives }) => {
        for (const job of lives) {
          if (isOpen(job.state) || job.state === "cancelled") expect(job.delivery).toBe("none");
          else expect(job.delivery).not.toBe("none");
        }
      }),
    );
  });

  it("keeps what is known: the service's id and the charge never vanish, progress never falls", () => {
    fc.assert(
      fc.property(anyLife, ({ lives }) => {
        for (const [index, job] of lives.entries()) {
          const before = lives[index - 1];
          if (!before) continue;
          if (before.serviceId !== null) expect(job.serviceId).toBe(before.serviceId);
          if (before.cost !== null) expect(job.cost).not.toBeNull();
          expect(job.progress ?? 0).toBeGreaterThanOrEqual(before.progress ?? 0);
        }
      }),
    );
  });

  it("stays as it was when an event does not fit", () => {
    const job = aJob();
    expect(() => after(job, { type: "delivered", at: 1 })).toThrow(IllegalTransition);
    expect(() => after({ ...job, state: "unsure" }, { type: "submitting", at: 1 })).toThrow(
      IllegalTransition,
    );
    expect(job).toEqual(aJob());
  });
});
