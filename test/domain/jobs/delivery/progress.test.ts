import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { Surfaces } from "../../../../src/seam/surface/surfaces.ts";
import { Experience } from "../../../../src/domain/jobs/experience/experience.ts";
import { operationOf } from "../../../../src/domain/operations/registry.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { Progress } from "../../../../src/domain/jobs/delivery/progress.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../../support/failing-folder.ts";
import { aRequest } from "../../../support/job.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { MemorySurface } from "../../../support/surface.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

async function progressOf(
  database: Database,
  ledger: Ledger,
  surface: MemorySurface,
  experience?: Experience,
): Promise<Progress> {
  return new Progress({
    ledger,
    surfaces: new Surfaces([surface], []),
    experience: experience ?? (await Experience.open(database, "sandbox")),
    log: makeLogger({ level: "silent" }),
  });
}

/** What the service says of a job. */
const accepted = () =>
  ({ type: "accepted", at: Date.now(), serviceId: "s-1", cost: 4, balance: null }) as const;

const submitting = () => ({ type: "submitting", at: Date.now(), balance: null }) as const;

/** A job that is on its way to the service. */
const leaving = async (ledger: Ledger, surface: MemorySurface) =>
  ledger.apply(await ledger.add(aRequest({ surface: surface.name }), Date.now()), submitting());

it("says nothing of a submission that is answered within a second", async () => {
  const seconds: (() => void)[] = [];
  const plain = globalThis.setTimeout;
  const timers = vi.spyOn(globalThis, "setTimeout").mockImplementation((run, ms, ...rest) => {
    if (ms !== 1_000) return plain(run, ms, ...rest);
    seconds.push(run);
    return plain(() => undefined, 0);
  });
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const ledger = new Ledger(database, "me");
  const surface = new MemorySurface();
  const progress = await progressOf(database, ledger, surface);
  const phases = () =>
    surface.messages.map(({ views }) => views.map((view) => "phase" in view && view.phase));
  const shown = async (wanted: readonly (readonly string[])[]) => {
    for (let turn = 0; turn < 20 || (turn < 1_000 && phases().flat().length < wanted.flat().length); turn++)
      await new Promise((resolve) => setImmediate(resolve));
    expect(phases()).toEqual(wanted);
  };
  const queued = (fingerprint: string) =>
    ledger.add(aRequest({ surface: surface.name, fingerprint }), Date.now());
  const [first, second] = [await queued("quick"), await queued("slow")];
  progress.start();
  const quick = await ledger.apply(first, submitting());
  await shown([]);
  expect(seconds).toHaveLength(1);
  await ledger.apply(quick, accepted());
  await shown([["running"]]);
  await ledger.apply(second, submitting());
  await shown([["running"]]);
  seconds.at(-1)?.();
  await shown([["running"], ["submitting"]]);
  await progress.stop();
  await database.close();
  timers.mockRestore();
});

it("says nothing of one that was shown as it was written, until something comes of it", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const ledger = new Ledger(database, "me");
  const surface = new MemorySurface();
  const progress = await progressOf(database, ledger, surface);
  progress.start();
  const request = aRequest({ surface: surface.name });
  const job = await ledger.add(request, Date.now(), async () => ({ isShown: true }));
  const running = await ledger.apply(await ledger.apply(job, submitting()), accepted());
  const views = () => surface.messages.flatMap((message) => message.views);
  await vi.waitFor(() => expect(views()).toMatchObject([{ phase: "running" }]), { timeout: PATIENCE_MS });
  expect(running).not.toHaveProperty("isShown");
  await progress.stop();
  await database.close();
});

it("shows each state of a job, its progress and what it waits for", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const ledger = new Ledger(database, "me");
  const surface = new MemorySurface();
  const experience = await Experience.open(database, "sandbox");
  const { operation, values } = aRequest();
  const made = operationOf(operation);
  await experience.took(made.id, made.size(values), 90_000);
  const progress = await progressOf(database, ledger, surface, experience);
  progress.start();
  const views = () => surface.messages.flatMap((message) => message.views);
  const shown = async (wanted: Readonly<Record<string, unknown>>) => {
    await vi.waitFor(() => expect(views().at(-1)).toMatchObject(wanted), {
      timeout: PATIENCE_MS,
      interval: 5,
    });
  };
  let job = await ledger.add(aRequest({ surface: surface.name }), Date.now());
  await shown({ phase: "queued" });
  job = await ledger.apply(job, { type: "submitting", at: Date.now(), balance: null });
  const answer = accepted();
  job = await ledger.apply(job, answer);
  const usualMs = experience.durations(made.id, made.size(values))?.usualMs ?? 0;
  expect(usualMs).toBeGreaterThan(0);
  await shown({ phase: "running", expectedAt: answer.at + usualMs });
  job = await ledger.apply(job, { type: "progressed", progress: 30 });
  await shown({ phase: "running", percent: 30 });
  await ledger.apply(job, { type: "held", awaits: "key", until: Date.now() });
  await shown({ phase: "awaiting_key" });
  await progress.stop();
  await database.close();
});

it("says of a result that is there that it is on its way, also where it is being told from its end on", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const ledger = new Ledger(database, "me", () => true);
  const surface = new MemorySurface();
  const progress = await progressOf(database, ledger, surface);
  const queued = await ledger.add(aRequest({ surface: surface.name }), Date.now());
  const running = await ledger.apply(await ledger.apply(queued, submitting()), accepted());
  progress.start();
  const at = Date.now();
  const job = await ledger.apply(running, { type: "completed", at, result: ["/a.mp4"], cost: 1 });
  expect(job.delivery).toBe("delivering");
  const views = () => surface.messages.flatMap((message) => message.views);
  await vi.waitFor(() => expect(views()).toMatchObject([{ phase: "sending" }]), { timeout: PATIENCE_MS });
  await progress.stop();
  await database.close();
});

it("shows nothing of a job that was taken over while this process stood still between looking and showing", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const ledger = new Ledger(database, "me");
  const surface = new MemorySurface();
  const find = ledger.find.bind(ledger);
  const job = await leaving(ledger, surface);
  const passed = vi.spyOn(performance, "now");
  const looks = vi.spyOn(ledger, "find").mockImplementationOnce(async (id) => {
    const read = await find(id);
    await new Ledger(database, "heir").adopt(["me"], [surface.name]);
    passed.mockReturnValue(performance.now() + 6_000);
    return read;
  });
  const progress = await progressOf(database, ledger, surface);
  progress.start();
  await ledger.apply(job, accepted());
  await progress.finish(job.id);
  expect(looks).toHaveBeenCalledTimes(2);
  expect(surface.messages).toEqual([]);
  await progress.stop();
  vi.restoreAllMocks();
  await database.close();
});

it("has the end told anew that another told while this process stood still as it showed the progress", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const ledger = new Ledger(database, "me");
  const heir = new Ledger(database, "heir");
  const surface = new MemorySurface();
  const { id } = await leaving(ledger, surface);
  const passed = vi.spyOn(performance, "now");
  const deliver = surface.deliver.bind(surface);
  const end = { error: { code: "lost_track", params: {} }, cost: null } as const;
  vi.spyOn(surface, "deliver").mockImplementationOnce(async (...given) => {
    await heir.adopt(["me"], [surface.name]);
    const taken = await heir.find(id);
    if (!taken) throw new Error("The job is gone.");
    const failed = await heir.apply(taken, { type: "failed", at: Date.now(), ...end });
    const delivering = await heir.apply(failed, { type: "delivering" });
    await heir.apply(delivering, { type: "delivered", at: Date.now() });
    passed.mockReturnValue(performance.now() + 6_000);
    return deliver(...given);
  });
  const progress = await progressOf(database, ledger, surface);
  progress.start();
  const job = await ledger.find(id);
  if (job) await ledger.apply(job, accepted());
  await progress.finish(id);
  expect(await heir.find(id)).toMatchObject({ state: "failed", delivery: "due" });
  await progress.stop();
  vi.restoreAllMocks();
  await database.close();
});

it("shows nothing more of a job that ended without a result, which is told in its turn", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const ledger = new Ledger(database, "me");
  const surface = new MemorySurface();
  const ended = await ledger.add(aRequest({ surface: surface.name }), Date.now());
  const waiting = await ledger.add(aRequest({ surface: surface.name }), Date.now());
  const progress = await progressOf(database, ledger, surface);
  progress.start();
  await ledger.apply(ended, { type: "cancelled", at: Date.now() });
  await ledger.apply(waiting, { type: "submitting", at: Date.now(), balance: null });
  const shown = () => surface.messages.flatMap(({ views }) => views);
  await vi.waitFor(() => expect(shown()).not.toEqual([]), { timeout: PATIENCE_MS, interval: 5 });
  await progress.finish(ended.id);
  expect(shown()).toMatchObject([{ job: { id: waiting.id }, phase: "submitting" }]);
  await progress.stop();
  await database.close();
});

it("stops once what it was showing is shown", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const ledger = new Ledger(database, "me");
  const surface = new MemorySurface();
  const progress = await progressOf(database, ledger, surface);
  const posting = Promise.withResolvers<void>();
  const posted = Promise.withResolvers<void>();
  surface.beforePost = () => {
    posting.resolve();
    return posted.promise;
  };
  progress.start();
  await ledger.add(aRequest({ surface: surface.name }), Date.now());
  await posting.promise;
  const stopped = vi.fn<() => void>();
  const stopping = progress.stop().then(stopped);
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).not.toHaveBeenCalled();
  posted.resolve();
  await stopping;
  await database.close();
});

it.each(FOLDER_FAULTS)(
  "notes where it shows a job, although that could not be written at first: %s",
  async (fault) => {
    await using folder = new FailingFolder(fault);
    const database = await folder.open();
    const ledger = new Ledger(database, "me");
    const surface = new MemorySurface();
    const progress = new Progress({
      ledger,
      surfaces: new Surfaces([surface], []),
      experience: await Experience.open(database, "sandbox"),
      log: makeLogger({ level: "silent" }),
    });
    const { promise: posting, resolve } = Promise.withResolvers<void>();
    surface.beforePost = async () => {
      await folder.fail();
      resolve();
    };
    progress.start();
    const { id } = await ledger.add(aRequest({ surface: surface.name }), Date.now());
    await posting;
    // A stop waits for it.
    await folder.mendOnceWaitedFor(progress.stop());
    expect(await ledger.find(id)).toMatchObject({ receipt: { index: 0 } });
  },
);
