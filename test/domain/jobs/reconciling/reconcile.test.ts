import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Account, Accounts } from "../../../../src/domain/accounts/accounts.ts";
import type { AccountReading } from "../../../../src/domain/accounts/reading.ts";
import { Network, Unauthorized } from "../../../../src/infrastructure/api/transport/errors.ts";
import { Experience } from "../../../../src/domain/jobs/experience/experience.ts";
import { IllegalTransition, type Job } from "../../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { Reconciler } from "../../../../src/domain/jobs/reconciling/reconcile.ts";
import { clockSetBackAt, keepTime } from "../../../../src/infrastructure/storage/clock.ts";
import type { Database } from "../../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { operationOf } from "../../../../src/domain/operations/registry.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../../support/failing-folder.ts";
import { aRequest } from "../../../support/job.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { testDatabase } from "../../../support/database.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const POLL_MS = 5_000;
const ON_ITS_WAY_MS = 120_000;
const BEGIN = 1_000_000_000;

/** Numbers that say nothing. */
const reading = async () => ({
  from: Date.now(),
  to: Date.now(),
  tokens: null,
  totals: null,
  failed: null,
});

const counted = async (tokens: number, video: number): Promise<AccountReading> => ({
  ...(await reading()),
  tokens,
  totals: { video },
  failed: 0,
});

describe("the reconciler", () => {
  let database: Database;
  /** Makes what the database's log holds survive a power cut. */
  let sync: FailingFolder["sync"];
  let ledger: Ledger;
  let experience: Experience;
  let reconciler: Reconciler;
  /** When it was looked. */
  let looks: number[];
  /** What the list shows: which jobs, and when each was made. */
  let listed: ReadonlyMap<string, number>;
  /** What reading the list comes to before it is read. */
  let read: () => Promise<void>;
  /** What the account says of itself. */
  let numbers: () => Promise<AccountReading>;
  let keyOf: () => Promise<void>;
  /** What it wrote to the log. */
  let lines: string[];

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: BEGIN });
    sync = (log) => log.datasync();
    database = await testDatabase(join(temporaryFolder(), "reelay.db"), (log) => sync(log));
    ledger = new Ledger(database, "me");
    looks = [];
    listed = new Map();
    read = async () => {};
    numbers = reading;
    keyOf = async () => {};
    const api = {
      async jobs() {
        looks.push(Date.now());
        await read();
        const jobs = [...listed].map(([id, createdAt]) => ({
          id,
          type: "video",
          createdAt,
          cost: 4,
          state: "running",
        }));
        return { jobs, page: 1, pages: 1, total: jobs.length, hasNext: false };
      },
      jobSettings: async () => ({
        prompt: "slow zoom",
        lora_template: null,
        sub_template: null,
        duration: 6,
        raw: { auto_upscale: false },
      }),
    };
    const account = {
      keyId: "key-1",
      api: () => api,
      numbers: () => numbers(),
      balance: async () => (await numbers()).tokens,
    };
    const accounts = { of: () => keyOf().then(() => account as unknown as Account) } as unknown as Accounts;
    experience = await Experience.open(database, "sandbox");
    lines = [];
    const log = makeLogger({ level: "error", destination: { write: (line) => void lines.push(line) } });
    const times = { pollMs: POLL_MS, onItsWayMs: ON_ITS_WAY_MS };
    const setBackAt = () => clockSetBackAt(database);
    reconciler = new Reconciler({ ledger, accounts, experience, log, clockSetBackAt: setBackAt, ...times });
  });

  afterEach(async () => {
    await reconciler.stop();
    await database.close();
    vi.useRealTimers();
  });

  /** A job whose submission left now. */
  async function leaving(request: ReturnType<typeof aRequest>): Promise<Job> {
    const job = await ledger.add(request, Date.now());
    return ledger.apply(job, { type: "submitting", at: Date.now(), balance: null });
  }

  const submitting = (fingerprint: string) => leaving(aRequest({ fingerprint }));

  const lose = (job: Job) => ledger.apply(job, { type: "lost", at: Date.now() });

  /** Lets time pass, one pause of the reconciler after the other, until something is so. */
  async function passUntil(isSo: () => Promise<boolean> | boolean): Promise<void> {
    for (let turn = 0; turn < 5_000; turn += 1) {
      if (await isSo()) return;
      // The database takes one after the other: by its answer the reconciler has had its own.
      if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
      else await ledger.isMine("nobody's");
    }
    throw new Error("It never came to that.");
  }

  const isIn =
    (state: Job["state"], { id }: Job) =>
    async () =>
      (await ledger.find(id))?.state === state;

  /** Pauses between the looks, in least times between two reads. */
  const pauses = () => looks.slice(1).map((at, index) => (at - (looks[index] ?? 0)) / POLL_MS);

  it("takes a database that cannot be read for no missing key", async () => {
    let asked = 0;
    keyOf = async () => {
      if (++asked <= 2) throw new Error("disk I/O error");
    };
    const job = await lose(await submitting("slow zoom"));
    await reconciler.start();
    await passUntil(() => looks.length > 0);
    expect(asked).toBe(3);
    expect(await ledger.find(job.id)).toMatchObject({ state: "unsure", error: null });
  });

  it("leaves a job alone that was settled elsewhere, and says nothing of it", async () => {
    let asked = 0;
    keyOf = async () => {
      asked += 1;
      throw new IllegalTransition("it has failed already");
    };
    await lose(await submitting("slow zoom"));
    await reconciler.start();
    await passUntil(() => asked > 0);
    for (let turn = 0; turn < 10; turn += 1) await ledger.isMine("nobody's");
    expect([asked, vi.getTimerCount(), lines]).toEqual([1, 0, []]);
  });

  it("settles what comes back to it while it still looks for it as it had it before: it stood still meanwhile", async () => {
    const job = await lose(await submitting("slow zoom"));
    await reconciler.start();
    await passUntil(() => looks.length > 2);
    await new Ledger(database, "heir").adopt(["me"], ["web"]);
    await ledger.adopt(["heir"], ["web"]);
    await passUntil(isIn("failed", job));
    expect(lines).toEqual([]);
  });

  it("says what stopped it unexpectedly, but not what its own stop cut off", async () => {
    const cut = Promise.withResolvers<void>();
    let asked = 0;
    keyOf = () => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error("disk I/O error")) : cut.promise;
    };
    await lose(await submitting("slow zoom"));
    await reconciler.start();
    await passUntil(() => asked > 1);
    const stopped = reconciler.stop();
    cut.reject(new Error("the database is closed"));
    await stopped;
    expect(lines).toEqual([expect.stringContaining("disk I/O error")]);
  });

  it("adopts a job as accepted when the service says that it was, not when that was found", async () => {
    const ahead = 9 * 3_600_000;
    const ours = await submitting("another");
    vi.setSystemTime(BEGIN + 100);
    await ledger.apply(ours, { type: "accepted", at: Date.now(), serviceId: "ours", cost: 4, balance: null });
    vi.setSystemTime(BEGIN + 60_000);
    const job = await lose(await submitting("slow zoom"));
    const createdAt = Date.now() + 1_000;
    listed = new Map([
      ["ours", BEGIN + ahead],
      ["lost", createdAt + ahead],
    ]);
    await reconciler.start();
    await passUntil(isIn("running", job));
    const adopted = await ledger.find(job.id);
    expect(adopted).toMatchObject({ serviceId: "lost", cost: 4 });
    // As exactly as the service's clock is known.
    expect(adopted?.acceptedAt).toBeGreaterThanOrEqual(createdAt);
    expect(adopted?.acceptedAt).toBeLessThan(createdAt + 5_000);
    expect(Date.now()).toBeGreaterThanOrEqual(createdAt + 60_000);
  });

  it("looks less and less often while nothing can be told, and in the end says so", async () => {
    const job = await lose(await submitting("slow zoom"));
    await reconciler.start();
    await passUntil(isIn("failed", job));
    // Not beyond the times that decide: 24 and 60 pauses of the first length after the loss.
    expect(pauses().slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 3]);
    expect((looks.at(-1) ?? 0) - BEGIN).toBe(2.5 * ON_ITS_WAY_MS);
    expect(await ledger.find(job.id)).toMatchObject({ error: { code: "lost_track" }, cost: null });
  });

  it("looks no longer than five times once nothing can arrive any more for what the list may never show", async () => {
    const values = { images: [{ surface: "web", id: "photo" } as const], prompt: "slow zoom" };
    const request = aRequest({ operation: "vid3", values });
    const job = await lose(await leaving(request));
    await reconciler.start();
    await passUntil(isIn("failed", job));
    expect(looks.filter((at) => at >= BEGIN + ON_ITS_WAY_MS)).toHaveLength(5);
    expect((looks.at(-1) ?? 0) - BEGIN).toBe(2 * ON_ITS_WAY_MS);
  });

  it("says that it cannot be told where what an earlier version took keeps it from looking", async () => {
    const request = aRequest({ operation: "vid3", values: { images: "none of this version's" } });
    const job = await lose(await leaving(request));
    await reconciler.start();
    await passUntil(isIn("failed", job));
    expect(Date.now() - BEGIN).toBeGreaterThanOrEqual(1.5 * ON_ITS_WAY_MS);
    expect(await ledger.find(job.id)).toMatchObject({ error: { code: "lost_track" }, cost: null });
  });

  it("has stopped once its last look has ended", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    read = () => promise;
    await lose(await submitting("slow zoom"));
    await reconciler.start();
    await passUntil(() => looks.length > 0);
    let hasStopped = false;
    const stopping = reconciler.stop().then(() => (hasStopped = true));
    await ledger.isMine("nobody's");
    expect(hasStopped).toBe(false);
    resolve();
    await stopping;
  });

  it("looks five times once nothing can arrive any more, however long ago the answer was lost", async () => {
    const job = await lose(await submitting("slow zoom"));
    vi.setSystemTime(BEGIN + 100 * ON_ITS_WAY_MS);
    await reconciler.start();
    await passUntil(isIn("failed", job));
    expect(pauses()).toEqual([1, 2, 3, 4]);
  });

  it("looks as long, and proves nothing with the numbers of before, where the clock is set back meanwhile", async () => {
    const { operation, values } = aRequest();
    await experience.charged(operation, operationOf(operation).size(values), 4);
    const still = { tokens: 50, totals: { video: 7 }, failed: 0 };
    numbers = async () => ({ ...(await reading()), ...still });
    await keepTime(database);
    const before = { from: BEGIN - 1, to: BEGIN - 1, ...still };
    const added = await ledger.add(aRequest(), Date.now());
    const sent = await ledger.apply(added, { type: "submitting", at: Date.now(), balance: null, before });
    const job = await lose(sent);
    await reconciler.start();
    await passUntil(() => looks.length > 1);
    vi.setSystemTime(BEGIN - 365 * 86_400_000);
    await keepTime(database);
    const from = Date.now();
    await passUntil(isIn("failed", job));
    expect((looks.at(-1) ?? 0) - from).toBe(2.5 * ON_ITS_WAY_MS);
    expect(await ledger.find(job.id)).toMatchObject({ error: { code: "lost_track" }, cost: null });
  });

  it("takes no charge for that of a job which ended before the clock was set back, and seems to be of now", async () => {
    const { operation, values } = aRequest();
    await experience.charged(operation, operationOf(operation).size(values), 4);
    vi.setSystemTime(BEGIN + 30_000);
    const earlier = await submitting("another");
    const accepted = { at: Date.now(), serviceId: "ours", cost: 4, balance: null };
    const running = await ledger.apply(earlier, { type: "accepted", ...accepted });
    await ledger.apply(running, { type: "completed", at: Date.now(), result: ["/v"], cost: 4 });
    await keepTime(database);
    vi.setSystemTime(BEGIN);
    await keepTime(database);
    // It is accepted and charged, and the list does not show it.
    const before = await counted(50, 7);
    numbers = () => counted(46, 8);
    vi.setSystemTime(BEGIN + 1_000);
    const added = await ledger.add(aRequest(), Date.now());
    const job = await lose(
      await ledger.apply(added, { type: "submitting", at: Date.now(), balance: null, before }),
    );
    await reconciler.start();
    await passUntil(async () => !(await isIn("unsure", job)()));
    expect(await ledger.find(job.id)).toMatchObject({
      state: "failed",
      error: { code: "lost_charged" },
      cost: 4,
    });
  });

  it.each([
    ["cannot be reached", () => new Network(), [1, 2, 3, 4, 5, 6, 6, 6]],
    ["refuses the key", () => new Unauthorized(), [1, 4, 9, 16, 25, 36, 49, 64]],
  ])("looks less and less often while the service %s", async (_name, failure, expected) => {
    read = () => Promise.reject(failure());
    const job = await lose(await submitting("slow zoom"));
    await reconciler.start();
    await passUntil(() => looks.length > expected.length);
    expect(pauses()).toEqual(expected);
    expect(await ledger.find(job.id)).toMatchObject({ state: "unsure" });
  });

  it("looks once an hour at least, however long the key is refused", async () => {
    read = () => Promise.reject(new Unauthorized());
    await lose(await submitting("slow zoom"));
    await reconciler.start();
    await passUntil(() => looks.length > 30);
    expect(pauses().slice(-2)).toEqual([720, 720]);
  });

  it("has what was never accepted sent a few times, and then tells that it came to nothing and cost nothing", async () => {
    const still = { tokens: 50, totals: { video: 7 }, failed: 0 };
    const { operation, values } = aRequest();
    await experience.charged(operation, operationOf(operation).size(values), 4);
    numbers = async () => ({ ...(await reading()), ...still });
    await reconciler.start();
    let job = await ledger.add(aRequest(), Date.now());
    let sent = 0;
    for (; job.state === "queued" && sent < 20; sent++) {
      const before = { from: Date.now() - 1, to: Date.now() - 1, ...still };
      await lose(await ledger.apply(job, { type: "submitting", at: Date.now(), balance: null, before }));
      await passUntil(async () => !(await isIn("unsure", job)()));
      job = (await ledger.find(job.id)) ?? job;
    }
    expect(sent).toBe(5);
    expect(job).toMatchObject({
      state: "failed",
      error: { code: "service_error" },
      cost: 0,
      delivery: "due",
    });
  });

  const found = FOLDER_FAULTS.flatMap((fault) =>
    (["running", "queued", "failed"] as const).map((state) => ({ fault, state })),
  );

  it.each(found)(
    "writes that a job is $state once it can, and is heard: $fault",
    async ({ fault, state }) => {
      await using folder = new FailingFolder(fault);
      sync = folder.sync;
      await folder.hold(database);
      const { operation, values } = aRequest();
      await experience.charged(operation, operationOf(operation).size(values), 4);
      let before: AccountReading | null = null;
      const still = { tokens: 50, totals: { video: 7 }, failed: 0 };
      if (state === "queued") {
        before = { from: BEGIN - 1, to: BEGIN - 1, ...still };
        numbers = async () => ({ ...(await reading()), ...still });
      }
      if (state === "running") {
        const accepted = { at: Date.now(), serviceId: "ours", cost: 4, balance: null };
        await ledger.apply(await submitting("another"), { type: "accepted", ...accepted });
        listed = new Map([
          ["ours", BEGIN],
          ["lost", BEGIN + 1_000],
        ]);
      }
      const added = await ledger.add(aRequest(), Date.now());
      const job = await lose(
        await ledger.apply(added, { type: "submitting", at: Date.now(), balance: null, before }),
      );
      const heard: string[] = [];
      ledger.onChange((change) => heard.push(change.job.state));
      let waiting = 0;
      database.keeper.onWaiting(() => void (waiting += 1));
      await folder.fail();
      await reconciler.start();
      await passUntil(() => waiting + lines.length > 0);
      folder.mend();
      await vi.waitFor(() => expect(heard).toEqual([state]), PATIENCE_MS);
      expect(await ledger.find(job.id)).toMatchObject({ state });
      expect(lines).toEqual([]);
    },
  );
});
