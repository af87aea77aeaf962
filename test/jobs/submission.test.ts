import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Accounts, CallOptions } from "../../src/accounts/accounts.ts";
import {
  InsufficientTokens,
  Maintenance,
  Network,
  NoFreeSlot,
  RateLimited,
  SubscriptionRequired,
  Unsure,
} from "../../src/api/errors.ts";
import { ReelayError } from "../../src/errors.ts";
import { Experience } from "../../src/jobs/experience.ts";
import type { Job } from "../../src/jobs/job.ts";
import { Ledger, type NewJob } from "../../src/jobs/ledger.ts";
import { LeaseLapsed } from "../../src/jobs/lease.ts";
import { Submitter } from "../../src/jobs/submit.ts";
import { Slots } from "../../src/queue/slots.ts";
import { type Database, openDatabase } from "../../src/storage/database.ts";
import { makeLogger } from "../../src/telemetry.ts";
import { aRequest } from "../support/job.ts";
import { temporaryFolder } from "../support/sandbox.ts";

const NOW = 1_000_000_000;
const values = { prompt: "waves", model: "Default", width: 64, height: 64, guidance: 1, steps: 1 };
const numbers = { from: 1, to: 2, tokens: 50, totals: null, failed: null };
const answer = { id: "s-1", cost: 2 as number | null, remaining: 40 as number | null };

const is = (state: Job["state"]) => (job: Job) => job.state === state;

describe("a submission", () => {
  let database: Database;
  let ledger: Ledger;
  let experience: Experience;
  let submitter: Submitter;
  let isBlocked: (job: Job) => Promise<boolean>;
  /** What the account and its service do. */
  let known: number | null;
  let noted: unknown[];
  let tellsBalance: boolean;
  /** What the POST comes to once it has left, or before. */
  let post: (leave: () => Promise<void>) => Promise<typeof answer>;
  let seen: string[];

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOW });
    database = await openDatabase(join(temporaryFolder(), "reelay.db"));
    ledger = new Ledger(database, "me");
    experience = await Experience.open(database);
    isBlocked = async () => false;
    known = 50;
    noted = [];
    tellsBalance = true;
    seen = [];
    post = async (leave) => {
      await leave();
      return answer;
    };
    const account = {
      get tellsBalance() {
        return tellsBalance;
      },
      numbers: async () => numbers,
      knownNumbers: () => numbers,
      knownBalance: () => known,
      balance: async () => known,
      noteBalance: (...note: unknown[]) => void noted.push(note),
      api: ({ beforeSend, checkpoint }: CallOptions) => {
        const leave = async () => {
          await beforeSend?.();
          await checkpoint?.("first");
          await checkpoint?.("last");
        };
        return { generateImage: () => post(leave), inpaint: () => post(leave) };
      },
    };
    submitter = new Submitter({
      ledger,
      runners: { lease: { isHeld: () => true }, async renew() {} },
      accounts: { of: async () => account } as unknown as Accounts,
      slots: new Slots({ pauseMs: 1, silentMs: 50 }),
      experience,
      log: makeLogger({ level: "silent" }),
      isBlocked: (job) => isBlocked(job),
      openMedia: () => Promise.reject(new Error("There are no files.")),
      scratch: temporaryFolder(),
    });
    await submitter.start();
  });

  afterEach(async () => {
    await submitter.stop();
    await database.close();
    vi.useRealTimers();
  });

  const ask = (different: Partial<NewJob> = {}) =>
    ledger.add(aRequest({ operation: "image", values, fingerprint: "waves", ...different }), NOW);

  /** The job once it is as wanted. */
  async function until({ id }: Job, isSo: (job: Job) => boolean): Promise<Job> {
    return vi.waitFor(
      async () => {
        const job = await ledger.find(id);
        if (!job || !isSo(job)) throw new Error("It never came to that.");
        return job;
      },
      { timeout: 10_000, interval: 5 },
    );
  }

  it("keeps what was known before, what it cost, and what is left by its answer", async () => {
    const job = await until(await ask(), is("running"));
    expect(job).toMatchObject({
      before: numbers,
      serviceId: "s-1",
      cost: 2,
      balance: 40,
    });
    expect(noted).toEqual([[40, job.submittedAt]]);
    const size = "64x64, 1 steps, Default, no style";
    await vi.waitFor(() => expect(experience.price("image", size)).toBe(2));
  });

  it.each([
    [null, 2, 50, 48],
    [null, 2, null, null],
    [null, null, 50, null],
    [0, 2, 50, 0],
  ])("knows what is left where the answer says %s, it cost %s and there was %s", async (...numbers) => {
    const [remaining, cost, before, left] = numbers;
    known = before;
    post = async (leave) => {
      await leave();
      return { ...answer, remaining, cost };
    };
    const job = await until(await ask(), is("running"));
    expect(job.balance).toBe(left);
    expect(noted).toEqual(left === null ? [] : [[left, job.submittedAt]]);
  });

  it("is waited for by a stop, and kept: its answer, or that it got none", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    post = async (leave) => {
      await leave();
      await promise;
      return answer;
    };
    const lost = Promise.withResolvers<void>();
    const job = await until(await ask(), is("submitting"));
    post = async (leave) => {
      await leave();
      await lost.promise;
      throw new Unsure();
    };
    const other = await until(await ask({ fingerprint: "other", user: "web:other" }), is("submitting"));
    const stopped = submitter.stop();
    resolve();
    lost.resolve();
    await stopped;
    expect(await ledger.find(job.id)).toMatchObject({ state: "running", serviceId: "s-1" });
    expect(await ledger.find(other.id)).toMatchObject({ state: "unsure" });
  });

  it("that waits for a slot waits on where it is stopped, and keeps no stop waiting", async () => {
    await until(await ask(), is("running"));
    post = async (leave) => {
      await leave();
      seen.push("refused");
      throw new NoFreeSlot();
    };
    const other = await ask({ fingerprint: "other" });
    await vi.waitFor(() => expect(seen).not.toEqual([]));
    await until(other, is("queued"));
    await submitter.stop();
    expect(await ledger.find(other.id)).toMatchObject({ state: "queued" });
  });

  it("of what is under way already waits for that one, and is left for the next start by a stop", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    post = async (leave) => {
      seen.push("sent");
      await leave();
      await promise;
      return answer;
    };
    await until(await ask(), is("submitting"));
    const twin = await ask();
    // It has been looked at by the time that somebody else's was sent.
    await until(await ask({ fingerprint: "other", user: "web:other" }), is("submitting"));
    const stopped = submitter.stop();
    resolve();
    await stopped;
    expect(seen).toEqual(["sent", "sent"]);
    expect(await ledger.find(twin.id)).toMatchObject({ state: "queued" });
  });

  it("sends nothing of whoever is blocked", async () => {
    isBlocked = async () => true;
    post = async (leave) => {
      seen.push("sent");
      await leave();
      return answer;
    };
    const job = await until(await ask(), is("failed"));
    expect(job).toMatchObject({ error: { code: "blocked" }, cost: 0, submittedAt: null });
    expect(seen).toEqual([]);
  });

  it.each([
    ["no free slot", () => new NoFreeSlot(), 0],
    ["the published rate", () => new RateLimited(), 0],
    ["a lapsed lease", () => new LeaseLapsed(), 0],
    ["nobody there", () => new Network(), 500],
  ])("is made again after %s", async (_name, failure, pause) => {
    let tries = 0;
    post = async (leave) => {
      await leave();
      if (++tries === 1) throw failure();
      return answer;
    };
    const postponed: Job[] = [];
    ledger.onChange(({ job, before }) => {
      if (before?.state === "submitting" && job.state === "queued") postponed.push(job);
      if (job.attempts > 0) vi.setSystemTime(NOW + 1_000);
    });
    await until(await ask(), is("running"));
    expect(postponed).toHaveLength(1);
    expect(postponed[0]?.attempts).toBe(1);
    expect(postponed[0]?.notBefore).toBeGreaterThanOrEqual(pause && NOW + pause);
    expect(postponed[0]?.notBefore).toBeLessThanOrEqual(pause && NOW + 3 * pause);
    expect(tries).toBe(2);
  });

  it("is made again ever more rarely while nobody is there, and at least once a minute", async () => {
    const pauses: number[] = [];
    post = async (leave) => {
      await leave();
      if (pauses.length < 10) throw new Network();
      return answer;
    };
    ledger.onChange(({ job, before }) => {
      if (before?.state !== "submitting" || job.state !== "queued") return;
      pauses.push(job.notBefore - Date.now());
      vi.setSystemTime(job.notBefore);
    });
    await until(await ask(), is("running"));
    expect(pauses[5]).toBeGreaterThan(pauses[0] ?? 0);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000);
    expect(pauses.slice(7).every((pause) => pause >= 30_000)).toBe(true);
  });

  it.each([
    ["was lost", () => new Unsure()],
    ["cannot be understood", () => new Error("odd")],
  ])("is in doubt where its answer %s", async (_name, failure) => {
    post = async (leave) => {
      await leave();
      throw failure();
    };
    expect(await until(await ask(), is("unsure"))).toMatchObject({ lostAt: expect.any(Number), error: null });
  });

  it("has failed, and is not in doubt, where something went wrong before anything left", async () => {
    post = () => Promise.reject(new Error("odd"));
    expect(await until(await ask(), is("failed"))).toMatchObject({ error: { code: "internal" }, cost: 0 });
  });

  it("fails with what it was refused for", async () => {
    let refusal: Error;
    post = async (leave) => {
      await leave();
      throw refusal;
    };
    const refused = async (error: Error) => {
      refusal = error;
      return (await until(await ask(), is("failed"))).error;
    };
    expect(await refused(new Maintenance())).toEqual({
      code: "product_resting",
      params: { operation: "image", instead: "video-audio" },
    });
    expect(await refused(new SubscriptionRequired())).toMatchObject({ code: "subscription_required" });
    expect(await refused(new ReelayError("moderation_down"))).toEqual({
      code: "moderation_down",
      params: {},
    });
    expect(await refused(new InsufficientTokens())).toMatchObject({ code: "insufficient_tokens" });
    await experience.charged("image", "64x64, 1 steps, Default, no style", 60);
    expect(await refused(new InsufficientTokens())).toEqual({
      code: "tokens_missing",
      params: { needed: 60, balance: 50, missing: 10 },
    });
    tellsBalance = false;
    expect(await refused(new InsufficientTokens())).toMatchObject({ code: "shared_tokens_missing" });
  });
});
