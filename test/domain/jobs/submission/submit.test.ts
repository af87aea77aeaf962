import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { RATE_LIMITS } from "../../../../src/common/contract.ts";
import type { Job } from "../../../../src/domain/jobs/job.ts";
import { RELEASE_MS } from "../../../../src/domain/jobs/submission/submit.ts";
import { testCore } from "../../../support/core.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { Maintenance, Network, Unsure } from "../../../../src/infrastructure/api/transport/errors.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../../support/failing-folder.ts";
import { WindowLog } from "../../../../src/infrastructure/queue/window-log.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../../support/sandbox.ts";
import { ANSWER, SubmissionHarness } from "../../../support/submission.ts";
import { HANGS, submitterHarness } from "../../../support/submitter.ts";
import { person } from "../../../support/surface.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

it("stops without a stray rejection while a job that has its slot waits for the published rate", async () => {
  const stray = vi.fn<(reason: unknown) => void>();
  process.on("unhandledRejection", stray);
  onTestFinished(() => void process.off("unhandledRejection", stray));
  const image = { surface: "web", id: join(temporaryFolder(), "photo.jpg") } as const;
  await writeFile(image.id, Buffer.from(await testPicture(), "base64"));
  await using sandbox = await testSandbox({ jobSeconds: [60, 60] });
  const core = await testCore(sandbox, { sharedKey: sandbox.keys.boss, timeScale: 1 });
  for (let nth = 0; nth <= RATE_LIMITS.video; nth++)
    await core.surface.intake.command(person(`${nth}`), "video", { image, prompt: `${nth}` });
  await vi.waitFor(
    async () => expect((await sandbox.ledger()).submissions).toHaveLength(RATE_LIMITS.video),
    PATIENCE_MS,
  );
  await core[Symbol.asyncDispose]();
  // Node reports a rejection once its microtasks have run.
  await new Promise((resolve) => setImmediate(resolve));
  expect(stray).not.toHaveBeenCalled();
});

afterEach(() => void vi.useRealTimers());

const state = (job: { readonly id: string }, harness: Awaited<ReturnType<typeof submitterHarness>>) =>
  harness.ledger.find(job.id);

/** The next job that runs. Vitest's own waiting moves a faked clock each time it looks. */
const untilRunning = ({ ledger }: Awaited<ReturnType<typeof submitterHarness>>) =>
  new Promise<Job>((resolve) => {
    const stop = ledger.onChange(({ job }) => {
      if (job.state !== "running") return;
      stop();
      resolve(job);
    });
  });

describe("a submission that gets no answer", () => {
  it("keeps nobody else on the same key waiting while its slots are unknown", async () => {
    await using harness = await submitterHarness();
    const hanging = await harness.ask("ann", HANGS);
    await vi.waitFor(() => expect(harness.arrived).toEqual([HANGS]), PATIENCE_MS);
    const others = Array.from({ length: 10 }, (_, nth) => `other ${nth}`);
    await Promise.all(others.map((prompt) => harness.ask(prompt, prompt)));
    await vi.waitFor(() => expect([...harness.running].toSorted()).toEqual(others.toSorted()), PATIENCE_MS);
    expect(await state(hanging, harness)).toMatchObject({ state: "submitting" });
    expect(harness.wrong).toEqual([]);
  });

  it("keeps nobody waiting when all slots are known, and costs few refusals", async () => {
    await using harness = await submitterHarness({ slots: 2 });
    const a = await harness.ask("a", "a");
    const first = [a, ...(await Promise.all(["b", "c"].map((prompt) => harness.ask(prompt, prompt))))];
    // Two run, and the refusal of the third taught how many there are.
    await vi.waitFor(() => expect(harness.refusals()).toBeGreaterThan(0), PATIENCE_MS);
    await vi.waitFor(() => expect(harness.running.size).toBe(2), PATIENCE_MS);
    const end = async (prompt: string) => {
      const job = await harness.ledger.find(
        first.find(({ values }) => values["prompt"] === prompt)?.id ?? "",
      );
      harness.running.delete(prompt);
      if (job?.state === "running")
        await harness.ledger.apply(job, { type: "completed", at: Date.now(), result: ["r"], cost: 1 });
    };
    for (const prompt of ["a", "b", "c"]) {
      await vi.waitFor(
        () => expect(harness.arrived.filter((one) => one === prompt)).not.toEqual([]),
        PATIENCE_MS,
      );
      await vi.waitFor(() => expect(harness.running.has(prompt)).toBe(true), PATIENCE_MS);
      await vi.waitFor(
        async () => expect((await harness.ledger.roomFor(a, a.keyId)).running).toBe(harness.running.size),
        PATIENCE_MS,
      );
      await end(prompt);
    }
    const known = harness.refusals();
    const hanging = await harness.ask("ann", HANGS);
    await vi.waitFor(() => expect(harness.arrived).toContain(HANGS), PATIENCE_MS);
    await harness.ask("ben", "d");
    await harness.ask("cem", "e");
    await vi.waitFor(() => expect(harness.running).toEqual(new Set(["d", "e"])), PATIENCE_MS);
    expect(await state(hanging, harness)).toMatchObject({ state: "submitting" });
    expect(harness.refusals()).toBe(known);
  });
});

describe("a submission that waits for its published rate", () => {
  /** Nobody else tries for a slot that is taken in vain, for as long as a test lasts. */
  const known = { slots: 3, areKnown: true, silentMs: 600_000 } as const;

  it("holds no slot meanwhile: others leave by it, whoever has how many that wait", async () => {
    await using harness = await submitterHarness(known);
    for (const group of ["video", "videoAudio"] as const) await harness.fill(group);
    await harness.ask("ann", "film", "video");
    await harness.ask("ann", "talking film", "h3-text");
    await harness.ask("ann", "a");
    const others = ["b", "c"];
    for (const prompt of others) await harness.ask(prompt, prompt);
    await vi.waitFor(() => expect([...harness.running].toSorted()).toEqual(["a", ...others]), PATIENCE_MS);
    expect(harness.wrong).toEqual([]);
  });

  it("takes nothing of the rate where others have all slots by then, and has the one that it gets in turn", async () => {
    await using harness = await submitterHarness({ ...known, windowMs: 5_000 });
    const ask = (prompt: string) => harness.ask(prompt, prompt);
    const runs = (job: Job) =>
      vi.waitFor(
        async () => expect(await state(job, harness)).toMatchObject({ state: "running" }),
        PATIENCE_MS,
      );
    const givenBack = vi.spyOn(WindowLog.prototype, "cancel");
    onTestFinished(() => givenBack.mockRestore());
    const free = await harness.fill("video");
    const film = await harness.ask("ann", "film", "video");
    for (const prompt of ["a", "b", "c"]) await runs(await ask(prompt));
    const next = await ask("next");
    await free();
    givenBack.mockClear();
    await vi.waitFor(() => expect(givenBack).toHaveBeenCalledTimes(1), PATIENCE_MS);
    expect(await harness.taken("video")).toBe(0);
    expect(await state(film, harness)).toMatchObject({ state: "queued", attempts: 0 });
    await harness.end("a");
    await runs(next);
    await ask("last");
    await harness.end("b");
    await runs(film);
    expect(harness.arrived).toEqual(["a", "b", "c", "next", "film"]);
    expect(harness.refusals()).toBe(0);
    expect(harness.wrong).toEqual([]);
  });
});

describe("a process that stood still between the intent and the socket", () => {
  it("sends nothing, and sends the job later if it still has it", async () => {
    let held = false;
    const renew = vi.fn<() => Promise<void>>(async () => {});
    await using harness = await submitterHarness({ runners: { lease: { isHeld: () => held }, renew } });
    const job = await harness.ask("ann", "late");
    await vi.waitFor(
      async () => expect((await state(job, harness))?.attempts).toBeGreaterThan(1),
      PATIENCE_MS,
    );
    expect(harness.arrived).toEqual([]);
    expect(renew).toHaveBeenCalled();
    held = true;
    await vi.waitFor(async () => expect((await state(job, harness))?.state).toBe("running"), PATIENCE_MS);
    expect(harness.arrived).toEqual(["late"]);
    expect(harness.wrong).toEqual([]);
  });

  it.each(["unsure", "queued", "submitting", "cancelled"])(
    "drops a job that was taken over and is %s by now, without a word",
    async (then) => {
      let harness: Awaited<ReturnType<typeof submitterHarness>> | undefined;
      const stopped = Promise.withResolvers<void>();
      const taken = Promise.withResolvers<void>();
      let looks = 0;
      // The first look is before the intent, the second at the socket.
      const isHeld = () => {
        looks += 1;
        if (looks === 2) stopped.resolve();
        return looks !== 2;
      };
      await using made = (harness = await submitterHarness({
        runners: { lease: { isHeld }, async renew() {} },
      }));
      const off = made.ledger.onChange(({ job }) => {
        if (job.state === "submitting") void adopt();
      });
      const adopt = async () => {
        off();
        await made.other.adopt(["one"], ["web"]);
        const [unsure] = await made.other.inState("unsure");
        if (!unsure) throw new Error("It was taken over.");
        if (then !== "unsure") {
          const queued = await made.other.apply(unsure, { type: "absent" });
          const at = Date.now();
          if (then === "submitting") await made.other.apply(queued, { type: then, at, balance: null });
          if (then === "cancelled") await made.other.apply(queued, { type: then, at });
        }
        taken.resolve();
      };
      const job = await made.ask("ann", "late");
      await Promise.all([stopped.promise, taken.promise]);
      // Another one of the same person leaves: the first is done with.
      await made.ask("ann", "next");
      await vi.waitFor(() => expect(made.arrived).toEqual(["next"]), PATIENCE_MS);
      expect(await state(job, harness)).toMatchObject({ state: then, fence: 1 });
      expect(await made.ledger.isMine(job.id)).toBe(false);
      expect(made.wrong).toEqual([]);
    },
  );

  it("logs no failure of a job that its person takes back just before it leaves", async () => {
    let looks = 0;
    await using made = await submitterHarness({
      runners: {
        lease: { isHeld: () => (looks += 1) !== 1 },
        // Just before its intent is written.
        async renew() {
          const [queued] = await made.ledger.inState("queued");
          if (queued) await made.ledger.apply(queued, { type: "cancelled", at: Date.now() });
        },
      },
    });
    const job = await made.ask("ann", "back");
    await vi.waitFor(async () => expect((await state(job, made))?.state).toBe("cancelled"), PATIENCE_MS);
    await made.ask("ann", "next");
    await vi.waitFor(() => expect(made.arrived).toEqual(["next"]), PATIENCE_MS);
    expect(made.logged.filter((line) => line.includes("was not accepted"))).toEqual([]);
  });

  it("says when the last byte left, where that was long after the intent", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let looks = 0;
    const isHeld = () => {
      looks += 1;
      // Sending takes its time.
      if (looks === 2) vi.setSystemTime(Date.now() + RELEASE_MS);
      return true;
    };
    await using harness = await submitterHarness({ runners: { lease: { isHeld }, async renew() {} } });
    const runs = async (name: string) => {
      const running = untilRunning(harness);
      await harness.ask("ann", name);
      return running;
    };
    const slow = await runs("slow");
    expect((slow.releasedAt ?? 0) - (slow.submittedAt ?? 0)).toBe(RELEASE_MS);
    const { submittedAt, releasedAt } = await runs("quick");
    expect(releasedAt).toBe(submittedAt);
  });
});

it("waits longer and longer while the service cannot be reached", async () => {
  await using harness = await submitterHarness({ baseUrl: "http://127.0.0.1:1/api" });
  vi.useFakeTimers({ toFake: ["Date"] });
  const pauses: number[] = [];
  const { promise: five, resolve } = Promise.withResolvers<void>();
  harness.ledger.onChange(({ job, before }) => {
    if (!before || job.state !== "queued") return;
    pauses.push(job.notBefore - Date.now());
    vi.setSystemTime(job.notBefore);
    if (pauses.length > 4) resolve();
  });
  await harness.ask("ann", "away");
  await five;
  for (const [tries, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual(500 * 2 ** tries);
    expect(pause).toBeLessThanOrEqual(1_000 * 2 ** tries);
  }
});

it.each(["submitting", "accepted"])(
  "goes on once the data folder can be written again, where %s could not be kept, and calls nothing failed",
  async (type) => {
    await using harness = await submitterHarness();
    const apply = harness.ledger.apply.bind(harness.ledger);
    let refused = 0;
    vi.spyOn(harness.ledger, "apply").mockImplementation(async (job, event, receipt) => {
      if (event.type === type && (refused += 1) <= 2)
        throw new ReelayError("storage_down", { reason: "another process keeps it locked" });
      return apply(job, event, receipt);
    });
    const running = untilRunning(harness);
    await harness.ask("ann", "a lake");
    expect(await running).toMatchObject({ state: "running", serviceId: "a lake", cost: 1 });
    expect(harness.arrived).toEqual(["a lake"]);
    expect(refused).toBe(3);
  },
);

it("looks for what may have been accepted where a stop comes before that can be written", async () => {
  await using harness = await submitterHarness();
  const apply = harness.ledger.apply.bind(harness.ledger);
  vi.spyOn(harness.ledger, "apply").mockImplementation(async (job, event, receipt) => {
    if (event.type === "releasing" || event.type === "accepted")
      throw new ReelayError("storage_down", { reason: "another process keeps it locked" });
    return apply(job, event, receipt);
  });
  const { id } = await harness.ask("ann", "a lake");
  await expect.poll(() => harness.arrived).toEqual(["a lake"]);
  await harness.stop();
  expect((await harness.ledger.find(id))?.state).not.toBe("failed");
});

const answers = [
  { name: "accepted", answer: async () => ANSWER, state: "running" },
  { name: "lost", answer: () => Promise.reject(new Unsure()), state: "unsure" },
  { name: "nobody was there", answer: () => Promise.reject(new Network()), state: "queued" },
  { name: "refused", answer: () => Promise.reject(new Maintenance()), state: "failed" },
] as const;

describe.each(FOLDER_FAULTS)("what came of a submission, when %s", (fault) => {
  it.each(answers)("is written once it can be, and heard of: $name", async ({ answer, state }) => {
    await using folder = new FailingFolder(fault);
    await using harness = await SubmissionHarness.open(folder.sync);
    await folder.hold(harness.database);
    const heard: string[] = [];
    harness.ledger.onChange(({ job }) => heard.push(job.state));
    const posted = Promise.withResolvers<void>();
    harness.post = async (leave) => {
      await leave();
      await folder.fail();
      posted.resolve();
      return answer();
    };
    const { id } = await harness.ask();
    await posted.promise;
    // A stop waits for it.
    await folder.mendOnceWaitedFor(harness.submitter.stop());
    expect(heard).toEqual(["queued", "submitting", state]);
    expect(await harness.ledger.find(id)).toMatchObject({ state });
    expect(harness.wrong).toEqual([]);
  });
});
