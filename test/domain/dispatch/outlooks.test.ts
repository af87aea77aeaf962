import { describe, expect, it } from "vitest";
import { outlooksOf } from "../../../src/domain/dispatch/outlooks.ts";
import { Durations } from "../../../src/domain/jobs/experience/durations.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { currentTime } from "../../../src/common/time.ts";
import { aJob } from "../../support/job.ts";

const none = async () => new Map<string, number>();
const took = (ms?: number) => ({
  durations: () => (ms === undefined ? undefined : Durations.none.and(ms)),
});
const NOTHING = { ahead: null, expectedAt: null };

describe("how long jobs will go on", () => {
  it("is told by those that go first, which are counted once for all of them", async () => {
    const [first, second, runs] = [aJob({ id: "a" }), aJob({ id: "b" }), aJob({ id: "c", state: "running" })];
    const asked: (readonly string[])[] = [];
    const ahead = async (_: string, jobs: readonly Job[]) => {
      asked.push(jobs.map(({ id }) => id));
      return new Map([["b", 4]]);
    };
    const outlookOf = await outlooksOf({ experience: took(), ahead }, [first, second, runs]);
    expect(asked).toEqual([["a", "b"]]);
    expect(outlookOf(second)).toEqual({ ...NOTHING, ahead: 4 });
    // It left the queue between the two.
    expect(outlookOf(first)).toEqual(NOTHING);
    expect(outlookOf(runs)).toEqual(NOTHING);
  });

  it("is told of what the service accepted by how long others like it took, until it took longer", async () => {
    const acceptedAt = currentTime() - 60_000;
    const runs = aJob({ state: "running", acceptedAt });
    const expected = async (ms?: number) =>
      (await outlooksOf({ experience: took(ms), ahead: none }, [runs]))(runs);
    expect(await expected(90_000)).toEqual({ ...NOTHING, expectedAt: acceptedAt + 90_000 });
    expect(await expected(30_000)).toEqual(NOTHING);
    expect(await expected()).toEqual(NOTHING);
  });

  it.each([
    { state: "queued", notBefore: 5 },
    { state: "completed", delivery: "due", acceptedAt: currentTime() },
    { state: "running", awaits: "file", acceptedAt: currentTime() },
  ] as const)("is not known of one that waits for something else: %j", async (different) => {
    const job = aJob(different);
    const outlookOf = await outlooksOf({ experience: took(90_000), ahead: none }, [job]);
    expect(outlookOf(job)).toEqual(NOTHING);
  });
});
