import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Account, Accounts, AccountCallOptions } from "../../../../src/domain/accounts/accounts.ts";
import { type ServiceJob, NotFound, Unauthorized } from "../../../../src/infrastructure/api/media-api.ts";
import { RATE_LIMITS, RATE_WINDOW_MS } from "../../../../src/common/contract.ts";
import { Experience } from "../../../../src/domain/jobs/experience/experience.ts";
import type { Job } from "../../../../src/domain/jobs/job.ts";
import { Ledger, type NewJob } from "../../../../src/domain/jobs/ledger.ts";
import { Poller } from "../../../../src/domain/jobs/polling/poller.ts";
import { video } from "../../../../src/domain/operations/video.ts";
import { ReadTimes } from "../../../../src/domain/jobs/polling/read-times.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { aRequest } from "../../../support/job.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { change, changesOf, record } from "./harness.ts";

const log = makeLogger({ level: "silent" });
const POLL_MS = 5_000;
const MINUTE_MS = 60_000;

describe("the poller", () => {
  let database: Database;
  let ledger: Ledger;
  let experience: Experience;
  let poller: Poller;
  /** When each job was read, by the service's id. */
  let reads: Map<string, number[]>;
  /** What the service says of a job. */
  let read: (id: string) => Promise<ServiceJob>;
  /** The pages of the list that were asked for. */
  let pages: number[];
  /** What the list shows. */
  let listed: () => readonly ServiceJob[];
  let keyOf: () => Promise<void>;
  /** How much had been changed when nothing was going on. */
  let settledAt: number;

  function makePoller(): Poller {
    const api = {
      async job(id: string) {
        reads.set(id, [...(reads.get(id) ?? []), Date.now()]);
        return read(id);
      },
      async jobs({ page }: { page: number }) {
        pages.push(page);
        return { jobs: listed(), page, pages: 9, total: 9, hasNext: page < 9 };
      },
      async *allJobs() {
        yield* listed();
      },
    };
    const callBy = (options: AccountCallOptions) => {
      expect(options.background).toBe(true);
      return api;
    };
    const account = { keyId: "key-1", api: callBy } as unknown as Account;
    const accounts = { of: () => keyOf().then(() => account) } as unknown as Accounts;
    const readTimes = new ReadTimes(database);
    const times = { pollMs: POLL_MS, rateWindowMs: RATE_WINDOW_MS };
    return new Poller({ ledger, accounts, experience, readTimes, log, ...times });
  }

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_000_000_000 });
    database = await openDatabase(join(temporaryFolder(), "reelay.db"));
    ledger = new Ledger(database, "me");
    experience = await Experience.open(database);
    reads = new Map();
    read = async (id) => record(id);
    pages = [];
    listed = () => [];
    keyOf = async () => {};
    settledAt = 0;
    poller = makePoller();
  });

  afterEach(async () => {
    await poller.stop();
    await database.close();
    vi.useRealTimers();
  });

  async function running(serviceId: string, different: Partial<NewJob> = {}): Promise<Job> {
    let job = await ledger.add(aRequest({ fingerprint: serviceId, ...different }), Date.now());
    job = await ledger.apply(job, { type: "submitting", at: Date.now(), balance: null });
    return ledger.apply(job, { type: "accepted", at: Date.now(), serviceId, cost: 4, balance: null });
  }

  /** Lets time pass, with what happens meanwhile. */
  async function pass(ms: number, step = 1_000): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await vi.advanceTimersByTimeAsync(Math.min(step, left));
      await settled();
    }
  }

  /**
   * The clock stands still while the database is at work: it has a line of its own and waits for the disk, and what comes of
   * one step is the next.
   */
  async function settled(): Promise<void> {
    for (let now = await changesOf(database); now !== settledAt; now = await changesOf(database)) {
      await change(database);
      settledAt = now + 1;
    }
  }

  it("believes a 404 only after an hour, and says then what was charged", async () => {
    read = async () => Promise.reject(new NotFound());
    await poller.start();
    const { id } = await running("s-1");
    await pass(2 * MINUTE_MS);
    expect(await ledger.find(id)).toMatchObject({ state: "running", awaits: "record" });
    await pass(55 * MINUTE_MS);
    expect(await ledger.find(id)).toMatchObject({ state: "running", awaits: "record" });
    await pass(60 * MINUTE_MS);
    expect(await ledger.find(id)).toMatchObject({
      state: "failed",
      cost: 4,
      error: { code: "job_missing" },
      delivery: "due",
    });
    expect(reads.get("s-1")?.length).toBe(13);
  });

  it("forgets a 404 as soon as the job is known again, there or in the list", async () => {
    read = async () => Promise.reject(new NotFound());
    await poller.start();
    const { id } = await running("s-1");
    await pass(10 * MINUTE_MS);
    expect(await ledger.find(id)).toMatchObject({ awaits: "record" });
    listed = () => [record("s-other"), record("s-1", { progress: 50 })];
    await pass(15 * MINUTE_MS);
    expect(await ledger.find(id)).toMatchObject({
      state: "running",
      awaits: null,
      progress: 50,
      attempts: 0,
    });
  });

  it("hammers no service that refuses the key, whatever many jobs it pays for", async () => {
    read = async () => Promise.reject(new Unauthorized());
    await poller.start();
    for (let nth = 0; nth < 20; nth++) await running(`s-${nth}`);
    await pass(3 * 60 * MINUTE_MS, 5_000);
    const all = [...reads.values()].flat();
    expect(all.length).toBeGreaterThan(8);
    expect(all.length).toBeLessThan(20);
    const lastHour = all.filter((at) => at > Date.now() - 60 * MINUTE_MS);
    expect(lastHour.length).toBeLessThan(3);
    const states = await database.kysely.selectFrom("jobs").select("awaits").distinct().execute();
    expect(states).toEqual([{ awaits: "key" }]);
  });

  it("takes no key for refused by a read that its own stop broke off", async () => {
    const { promise: answer, reject: refuse } = Promise.withResolvers<ServiceJob>();
    read = () => answer;
    await poller.start();
    const { id } = await running("s-1");
    await pass(4 * POLL_MS);
    expect(reads.size).toBe(1);
    const stopped = poller.stop();
    refuse(new Unauthorized());
    await stopped;
    expect(await ledger.find(id)).toMatchObject({ awaits: null });
  });

  it("asks at once for a job whose key was connected again", async () => {
    read = async () => Promise.reject(new Unauthorized());
    await poller.start();
    const { id } = await running("s-1");
    await pass(60 * MINUTE_MS, 5_000);
    const waiting = await ledger.find(id);
    if (waiting?.awaits !== "key") throw new Error("It does not wait for a key.");
    expect(waiting.notBefore - Date.now()).toBeGreaterThan(2 * MINUTE_MS);
    read = async () => record("s-1");
    const before = reads.get("s-1")?.length ?? 0;
    await ledger.apply(waiting, { type: "woken" });
    await pass(1_000, 100);
    expect(reads.get("s-1")?.length).toBe(before + 1);
    expect(await ledger.find(id)).toMatchObject({ state: "running", awaits: null });
  });

  it("leaves alone what waits for something else when a key is accepted again", async () => {
    await poller.start();
    const [forRecord, forKey] = [await running("s-1"), await running("s-2")];
    await ledger.apply(forRecord, { type: "held", awaits: "record", until: Date.now() + 60 * MINUTE_MS });
    await ledger.apply(forKey, { type: "held", awaits: "key", until: Date.now() + POLL_MS });
    await pass(MINUTE_MS);
    expect(await ledger.find(forKey.id)).toMatchObject({ awaits: null });
    expect(await ledger.find(forRecord.id)).toMatchObject({ awaits: "record" });
  });

  it("looks every fifteen seconds, no more often, for jobs that were woken elsewhere", async () => {
    const looks = vi.spyOn(ledger, "inState");
    await poller.start();
    const { id } = await running("s-1");
    for (let nth = 2; nth <= 9; nth++) await running(`s-${nth}`);
    const job = await ledger.find(id);
    if (!job) throw new Error("It is there.");
    const held = { type: "held", awaits: "record", until: Date.now() + 60 * MINUTE_MS } as const;
    const waiting = await ledger.apply(job, held);
    looks.mockClear();
    await pass(5 * MINUTE_MS);
    expect(looks.mock.calls.length).toBeGreaterThan(15);
    expect(looks.mock.calls.length).toBeLessThanOrEqual(21);
    expect(reads.get("s-1")).toBeUndefined();
    // Another process with the same jobs: nobody hears of it here.
    await new Ledger(database, "me").apply(waiting, { type: "woken" });
    await pass(16_000);
    expect(reads.get("s-1")).toHaveLength(1);
  });

  it("reads no job any longer that another process took over", async () => {
    await poller.start();
    const { id } = await running("s-1");
    let progress = 0;
    read = async () => record("s-1", { progress: (progress += 1) });
    await pass(MINUTE_MS);
    await database.kysely
      .updateTable("jobs")
      .set({ runner: "another", fence: 1 })
      .where("id", "=", id)
      .execute();
    const before = reads.get("s-1")?.length ?? 0;
    await pass(10 * MINUTE_MS);
    expect(before).toBeGreaterThan(0);
    expect(reads.get("s-1")?.length).toBe(before + 1);
  });

  it("turns no page of the list once every job was seen, and asks by itself for none that was", async () => {
    const names = Array.from({ length: 6 }, (_, nth) => `s-${nth}`);
    for (const name of names) await running(name);
    listed = () => names.map((name) => record(name));
    await poller.start();
    await pass(5 * MINUTE_MS);
    expect(pages.length).toBeGreaterThan(3);
    expect(new Set(pages)).toEqual(new Set([1]));
    expect(reads.size).toBe(0);
  });

  it("takes a database that cannot be read for no missing key", async () => {
    keyOf = async () => Promise.reject(new Error("disk I/O error"));
    await poller.start();
    const { id } = await running("s-1");
    await pass(MINUTE_MS);
    expect(await ledger.find(id)).toMatchObject({ state: "running", awaits: null });
  });

  it("reads no job sooner than is allowed after a restart, and not all of them at once", async () => {
    await poller.start();
    for (let nth = 0; nth < 10; nth++) {
      await running(`s-${nth}`);
      await pass(3_000);
    }
    await pass(5 * MINUTE_MS);
    const kept = await new ReadTimes(database).all();
    expect(new Set(kept.values())).toEqual(new Set([...reads.values()].map((times) => times.at(-1))));
    for (let restarts = 0; restarts < 5; restarts++) {
      await poller.stop();
      await pass(1_000);
      poller = makePoller();
      await poller.start();
      await pass(7_000);
    }
    for (const times of reads.values()) {
      const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(POLL_MS);
    }
    const restarted = [...reads.values()].map((times) => times.at(-1) ?? 0);
    expect(new Set(restarted).size).toBeGreaterThan(1);
  });

  describe("where the machine's clock is set back", () => {
    const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;
    const setBack = () => void vi.setSystemTime(Date.now() - YEAR_MS);

    it("goes on reading, and learns how long a job took", async () => {
      const took = vi.spyOn(experience, "took");
      await poller.start();
      const { id } = await running("s-1");
      await pass(MINUTE_MS);
      const before = reads.get("s-1")?.length ?? 0;
      setBack();
      await pass(MINUTE_MS);
      expect(reads.get("s-1")?.length).toBeGreaterThan(before + 3);
      expect(await ledger.find(id)).toMatchObject({ state: "running" });
      const [createdAt, completedAt] = [7_000, 97_000];
      read = async () => record("s-1", { state: "completed", videoUrl: "/v", createdAt, completedAt });
      await pass(MINUTE_MS);
      expect(await ledger.find(id)).toMatchObject({ state: "completed" });
      expect(took).toHaveBeenCalledWith("video", video.size(aRequest().values), 90_000);
    });

    it("asks for what waits for something as often as ever, and no more often", async () => {
      read = async () => Promise.reject(new NotFound());
      await poller.start();
      const { id } = await running("s-1");
      const inTenMinutes = async () => {
        const before = reads.get("s-1")?.length ?? 0;
        await pass(10 * MINUTE_MS);
        return (reads.get("s-1")?.length ?? 0) - before;
      };
      await pass(30 * MINUTE_MS);
      setBack();
      expect(await inTenMinutes()).toBe(1);
      expect(await ledger.find(id)).toMatchObject({ state: "running", awaits: "record" });
    });

    it("reads what it followed before a restart, no sooner than is allowed", async () => {
      await poller.start();
      await running("s-1");
      await pass(MINUTE_MS);
      await poller.stop();
      setBack();
      const before = reads.get("s-1")?.length ?? 0;
      poller = makePoller();
      await poller.start();
      await pass(POLL_MS - 1);
      expect(reads.get("s-1")?.length).toBe(before);
      await pass(MINUTE_MS);
      expect(reads.get("s-1")?.length).toBeGreaterThan(before + 3);
    });
  });

  it("spends nearly all that may be asked and leaves people a twentieth, however many jobs there are", async () => {
    await poller.start();
    for (let nth = 0; nth < 40; nth++)
      await running(`s-${nth}`, { operation: "image", values: { prompt: "a lake" } });
    await pass(RATE_WINDOW_MS);
    const from = Date.now();
    await pass(5 * RATE_WINDOW_MS);
    const asked = [...reads.values()].flat().filter((at) => at >= from);
    const share = asked.length / (5 * RATE_LIMITS.status);
    expect(share).toBeLessThanOrEqual(0.95);
    expect(share).toBeGreaterThan(0.85);
  });

  it("reads others' jobs while the list does not show some yet, and those by the list once it does", async () => {
    const born = new Map<string, number>();
    const endsAfter = (id: string) => (id.startsWith("image") ? 20_000 : 60 * MINUTE_MS);
    const now = (id: string) => {
      const createdAt = born.get(id) ?? 0;
      const completedAt = createdAt + endsAfter(id);
      if (Date.now() < completedAt) return record(id);
      return record(id, { state: "completed", createdAt, completedAt, imageUrl: "/i" });
    };
    // As slow as the published rate lets reads be.
    let line = Promise.resolve();
    read = async (id) => {
      line = line.then(() => new Promise((resolve) => setTimeout(resolve, 500)));
      await line;
      return now(id);
    };
    listed = () =>
      [...born].filter(([id, at]) => id.startsWith("s") && Date.now() >= at + 20_000).map(([id]) => now(id));
    const start = async (id: string, asked = {}) => {
      born.set(id, Date.now());
      await running(id, asked);
    };
    const image = { operation: "image", values: { prompt: "a lake" } };
    await poller.start();
    await start("image-known", image);
    await pass(40_000);
    for (let nth = 0; nth < 30; nth++) await start(`s-${nth}`);
    await pass(MINUTE_MS);
    for (let nth = 0; nth < 6; nth++) await start(`image-${nth}`, image);
    await pass(MINUTE_MS);
    expect(await ledger.inState("running")).toHaveLength(30);
    const alone = reads.get("s-0")?.length;
    pages.length = 0;
    await pass(2 * MINUTE_MS);
    expect(pages.length).toBeGreaterThan(3);
    expect(reads.get("s-0")?.length).toBe(alone);
  });

  it("reads a kind of which one took long, or seemed to, within minutes all the same", async () => {
    const born = new Map<string, number>();
    read = async (id) => {
      const createdAt = born.get(id) ?? 0;
      const completedAt = createdAt + (id === "long" ? 60 * MINUTE_MS : 20_000);
      if (Date.now() < completedAt) return record(id);
      return record(id, { state: "completed", createdAt, completedAt, imageUrl: "/i" });
    };
    const start = async (id: string) => {
      born.set(id, Date.now());
      await running(id, { operation: "image", values: { prompt: "a lake" } });
    };
    await poller.start();
    await start("long");
    await pass(61 * MINUTE_MS, 5_000);
    for (let nth = 0; nth < 12; nth++) await start(`${nth}`);
    await pass(3 * MINUTE_MS);
    expect(await ledger.inState("running")).toEqual([]);
  });

  it("learns nothing from a clock of the service that was set while a job ran", async () => {
    const createdAt = Date.now();
    const isOver = () => Date.now() >= createdAt + 20_000;
    const set = {
      state: "completed",
      createdAt,
      completedAt: createdAt + 60 * MINUTE_MS,
      videoUrl: "/v",
    } as const;
    read = async (id) => record(id, isOver() ? set : {});
    await poller.start();
    const { operation, values } = await running("s-1");
    await pass(MINUTE_MS);
    expect(experience.durations(operation, video.size(values))?.latestMs).toBeLessThan(2 * MINUTE_MS);
  });

  it("waits as long as it must with the next read where what a read told could not be written", async () => {
    read = async () => {
      throw new Unauthorized();
    };
    await poller.start();
    await running("s-1");
    vi.spyOn(ledger, "apply").mockRejectedValue(new Error("disk I/O error"));
    await pass(MINUTE_MS);
    const times = reads.get("s-1") ?? [];
    expect(times.length).toBeGreaterThan(1);
    for (const [nth, at] of times.slice(1).entries())
      expect(at - (times[nth] ?? 0)).toBeGreaterThanOrEqual(POLL_MS);
  });

  it("learns nothing from its own lag where records tell no times", async () => {
    const tookMs = 60_000;
    const started = new Map<string, number>();
    read = async (id) => {
      const isOver = Date.now() - (started.get(id) ?? 0) >= tookMs;
      return isOver ? record(id, { state: "completed", videoUrl: "/v" }) : record(id);
    };
    await poller.start();
    for (let nth = 0; nth < 40; nth++) {
      started.set(`s-${nth}`, Date.now());
      const { operation, values } = await running(`s-${nth}`);
      await pass(2 * MINUTE_MS);
      if (nth < 10) continue;
      const expected = experience.durations(operation, video.size(values))?.usualMs ?? 0;
      expect(Math.abs(expected - tookMs)).toBeLessThan(15_000);
    }
  });
});
