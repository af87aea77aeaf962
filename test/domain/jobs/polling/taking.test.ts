import { expect, it, vi } from "vitest";
import type { ServiceJob } from "../../../../src/infrastructure/api/media-api.ts";
import { Experience } from "../../../../src/domain/jobs/experience/experience.ts";
import { after, type Job, type Transition } from "../../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { takeRecord } from "../../../../src/domain/jobs/polling/taking.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../../support/failing-folder.ts";
import { aJob, aRequest } from "../../../support/job.ts";
import { record as recordOf } from "./harness.ts";

const AT = 90_000;
const mocked = () => vi.fn<(...args: unknown[]) => Promise<void>>(async () => {});
const running = aJob({ state: "running", serviceId: "s", acceptedAt: 10_000, cost: 4, progress: 30 });

/** What a record of a running job comes to: what is written, what is learned, and whether it told all. */
async function take(
  record: Partial<ServiceJob>,
  {
    form = "single",
    job = running,
    whole = true,
  }: { form?: "listed" | "single"; job?: Job; whole?: boolean } = {},
) {
  const written: Transition[] = [];
  const write = async (before: Job, event: Transition) => {
    written.push(event);
    return after(before, event);
  };
  const ledger = { apply: write, settle: write } as unknown as Ledger;
  const [took, tookBetween, charged] = [mocked(), mocked(), mocked()];
  const experience = { took, tookBetween, charged } as unknown as Experience;
  const read = { job, size: "6 s", ran: { least: 60_000, most: 80_000 }, whole };
  const usual: Partial<ServiceJob> = {
    state: "running",
    progress: null,
    cost: null,
    error: null,
    createdAt: null,
    completedAt: null,
    videoUrl: null,
    imageUrl: null,
    resultUrls: [],
    fileReady: true,
  };
  const parts = { ledger, experience, pollMs: 5_000 };
  const told = await takeRecord(parts, read, { ...usual, ...record } as ServiceJob, form, AT);
  const learned = { took: took.mock.calls, between: tookBetween.mock.calls, charged: charged.mock.calls };
  return { told, written, learned };
}

const nothing = { took: [], between: [], charged: [] };

it("writes progress that grew, and no other", async () => {
  const progressed = { told: true, written: [{ type: "progressed", progress: 31 }], learned: nothing };
  expect(await take({ progress: 31 })).toEqual(progressed);
  for (const progress of [30, 29, null])
    expect(await take({ progress })).toEqual({ told: true, written: [], learned: nothing });
  const fresh = { ...running, progress: null };
  expect((await take({ progress: 1 }, { job: fresh })).written).toEqual([
    { type: "progressed", progress: 1 },
  ]);
  expect((await take({ progress: 0 }, { job: fresh })).written).toEqual([]);
});

it("goes on with a job that waited for something", async () => {
  const job = { ...running, awaits: "record" } as const;
  expect((await take({}, { job })).written).toEqual([{ type: "resumed" }]);
  const [first, then] = (await take({ progress: 40 }, { job })).written;
  expect([first?.type, then?.type]).toEqual(["resumed", "progressed"]);
});

const done = { state: "completed", videoUrl: "/v", cost: 5 } as const;

it("writes what was made, and learns what it cost and between which times it ended", async () => {
  expect(await take(done)).toEqual({
    told: true,
    written: [{ type: "completed", at: AT, result: ["/v"], cost: 5, lateUntil: undefined }],
    learned: { took: [], between: [["video", "6 s", 60_000, 80_000]], charged: [["video", "6 s", 5]] },
  });
  expect((await take({ ...done, cost: null }, { whole: false })).learned).toEqual(nothing);
  expect((await take(done, { job: { ...running, acceptedAt: null } })).learned.between).toEqual([]);
});

it("learns how long it took where the record tells when it began and ended", async () => {
  const { learned } = await take({ ...done, createdAt: 1_000, completedAt: 61_000 }, { whole: false });
  expect(learned).toEqual({ took: [["video", "6 s", 60_000]], between: [], charged: [["video", "6 s", 5]] });
  const backwards = await take({ ...done, createdAt: 9_000, completedAt: 1_000 });
  expect(backwards.learned.took).toEqual([["video", "6 s", 0]]);
  for (const half of [{ createdAt: 1_000 }, { completedAt: 1_000 }])
    expect((await take({ ...done, ...half }, { whole: false })).learned.took).toEqual([]);
});

it("leaves a file that may not be there yet alone for a moment (section 2.4)", async () => {
  const [late] = (await take({ ...done, fileReady: false })).written;
  expect(late).toMatchObject({ result: ["/v"], lateUntil: AT + 5_000 });
  const [unknown] = (await take({ ...done, videoUrl: null })).written;
  expect(unknown).toMatchObject({ result: [], lateUntil: AT + 5_000 });
});

it("asks once more where a list leaves out where a result is, or why there is none (section 2.5)", async () => {
  const silent = { told: false, written: [], learned: nothing };
  expect(await take({ ...done, videoUrl: null }, { form: "listed" })).toEqual(silent);
  expect(await take({ state: "failed" }, { form: "listed" })).toEqual(silent);
  expect((await take(done, { form: "listed" })).told).toBe(true);
  expect((await take({ state: "failed", error: "no face" }, { form: "listed" })).told).toBe(true);
});

const failed = (reason: string) => ({
  told: true,
  written: [{ type: "failed", at: AT, error: { code: "job_failed", params: { reason } }, cost: 0 }],
  learned: nothing,
});

it("writes why a job failed, as far as that is said", async () => {
  expect(await take({ state: "failed", error: "no face", cost: 0 })).toEqual(failed("no face"));
  expect(await take({ state: "failed", cost: 0 })).toEqual(failed(""));
});

const ends = FOLDER_FAULTS.flatMap((fault) =>
  (["completed", "failed"] as const).map((state) => ({ fault, state })),
);

it.each(ends)(
  "that a job has $state is written once it can be, and heard of: $fault",
  async ({ fault, state }) => {
    await using folder = new FailingFolder(fault);
    const database = await folder.open();
    const ledger = new Ledger(database, "me");
    let job = await ledger.add(aRequest(), 1);
    job = await ledger.apply(job, { type: "submitting", at: 1, balance: null });
    job = await ledger.apply(job, { type: "accepted", at: 1, serviceId: "s", cost: 4, balance: null });
    const parts = { ledger, experience: await Experience.open(database, "sandbox"), pollMs: 5_000 };
    const heard: string[] = [];
    ledger.onChange((change) => heard.push(change.job.state));
    await folder.fail();
    const read = { job, size: "6 s", ran: { least: 0, most: 1 }, whole: false };
    const record = recordOf("s", { state, videoUrl: "/v", error: "no face was found" });
    expect(await folder.mendOnceWaitedFor(takeRecord(parts, read, record, "single", AT))).toBe(true);
    expect(heard).toEqual([state]);
    expect(await ledger.find(job.id)).toMatchObject({ state, delivery: "due" });
  },
);
