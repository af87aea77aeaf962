import { join } from "node:path";
import { sql } from "kysely";
import { expect, vi } from "vitest";
import type { Account, Accounts, AccountCallOptions } from "../../../../src/domain/accounts/accounts.ts";
import type { ServiceJob } from "../../../../src/infrastructure/api/media-api.ts";
import { RATE_WINDOW_MS } from "../../../../src/common/contract.ts";
import { Experience } from "../../../../src/domain/jobs/experience/experience.ts";
import type { Job } from "../../../../src/domain/jobs/job.ts";
import { Ledger, type NewJob } from "../../../../src/domain/jobs/ledger.ts";
import { Poller } from "../../../../src/domain/jobs/polling/poller.ts";
import { ReadTimes } from "../../../../src/domain/jobs/polling/read-times.ts";
import type { Database } from "../../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { aRequest } from "../../../support/job.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { testDatabase } from "../../../support/database.ts";

/** The least time between two reads of a job. */
export const POLL_MS = 5_000;
export const MINUTE_MS = 60_000;

/** A job as the service tells of it: one that runs, unless said otherwise. */
export const record = (id: string, different: Partial<ServiceJob> = {}): ServiceJob => ({
  id,
  type: "video",
  state: "running",
  status: "IN_PROGRESS",
  progress: null,
  createdAt: null,
  startedAt: null,
  completedAt: null,
  cost: null,
  preCost: null,
  billingAdjusted: false,
  mode: null,
  error: null,
  videoUrl: null,
  imageUrl: null,
  resultUrls: [],
  fileReady: true,
  raw: {},
  ...different,
});

/** How much was ever changed, once what stands in line has had its turn. */
async function changesOf({ kysely }: Database): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  await kysely.selectFrom("runners").select("id").execute();
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(kysely);
  return rows[0]?.count ?? 0;
}

/** Changes one thing. What was written before is on the disk by then, and whoever waits for that goes on. */
async function change({ kysely }: Database): Promise<void> {
  const row = { id: "nobody", pid: 0, started: null, boot: null, pid_namespace: null, beat_at: 0 };
  await kysely
    .insertInto("runners")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

/** A poller over a real ledger; what the service says is the test's to say, at any time. */
export class PollerHarness implements AsyncDisposable {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly experience: Experience;
  /** When each job was read, by the service's id. */
  readonly reads = new Map<string, number[]>();
  /** The pages of the list that were asked for. */
  readonly pages: number[] = [];
  poller: Poller;
  /** What the service says of a job. */
  read: (id: string) => Promise<ServiceJob> = async (id) => record(id);
  /** What the list shows. */
  listed: () => readonly ServiceJob[] = () => [];
  keyOf: () => Promise<void> = async () => {};
  /** What a read waits for before it leaves: its slot. */
  slotFor: (id: string) => Promise<void> = async () => {};
  /** How much had been changed when nothing was going on. */
  #settledAt = 0;

  private constructor(database: Database, experience: Experience) {
    this.database = database;
    this.ledger = new Ledger(database, "me");
    this.experience = experience;
    this.poller = this.makePoller();
  }

  /** Makes a poller that is not started yet, by a clock that the test sets. */
  static async open(): Promise<PollerHarness> {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_000_000_000 });
    const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
    return new PollerHarness(database, await Experience.open(database, "sandbox"));
  }

  /** @param egresses by how many addresses reads leave */
  makePoller(egresses = 1): Poller {
    const { reads, pages, ledger, experience, database } = this;
    const read = (id: string) => this.read(id);
    const listed = () => this.listed();
    const slotFor = (id: string) => this.slotFor(id);
    const apiOf = ({ onLeave }: AccountCallOptions) => ({
      async job(id: string) {
        reads.set(id, [...(reads.get(id) ?? []), Date.now()]);
        await slotFor(id);
        onLeave?.();
        return read(id);
      },
      async jobs({ page }: { page: number }) {
        pages.push(page);
        onLeave?.();
        return { jobs: listed(), page, pages: 9, total: 9, hasNext: page < 9 };
      },
      async *allJobs() {
        onLeave?.();
        yield* listed();
      },
    });
    const callBy = (options: AccountCallOptions) => {
      expect(options.background).toBe(true);
      return apiOf(options);
    };
    const account = { keyId: "key-1", api: callBy } as unknown as Account;
    const accounts = {
      of: () => this.keyOf().then(() => account),
      poolFor: async () => undefined,
    } as unknown as Accounts;
    const readTimes = new ReadTimes(database);
    const log = makeLogger({ level: "silent" });
    const times = { pollMs: POLL_MS, rateWindowMs: RATE_WINDOW_MS, egresses };
    return new Poller({ ledger, accounts, experience, readTimes, log, ...times });
  }

  async running(serviceId: string, different: Partial<NewJob> = {}): Promise<Job> {
    const { ledger } = this;
    let job = await ledger.add(aRequest({ fingerprint: serviceId, ...different }), Date.now());
    job = await ledger.apply(job, { type: "submitting", at: Date.now(), balance: null });
    return ledger.apply(job, { type: "accepted", at: Date.now(), serviceId, cost: 4, balance: null });
  }

  /** Lets time pass, with what happens meanwhile. */
  async pass(ms: number, step = 1_000): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await vi.advanceTimersByTimeAsync(Math.min(step, left));
      await this.settled();
    }
  }

  /**
   * The clock stands still while the database is at work: it has a line of its own and waits for the disk, and what comes of
   * one step is the next.
   */
  async settled(): Promise<void> {
    const { database } = this;
    for (let now = await changesOf(database); now !== this.#settledAt; now = await changesOf(database)) {
      await change(database);
      this.#settledAt = now + 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.poller.stop();
    await this.database.close();
    vi.useRealTimers();
  }
}
