import type { Accounts } from "../accounts/accounts.ts";
import type { JobRecord } from "../api/media-api.ts";
import { NotFound } from "../api/errors.ts";
import { JOBS_PER_PAGE, RATE_LIMITS } from "../contract.ts";
import { operationOf } from "../operations/registry.ts";
import type { Logger } from "../telemetry.ts";
import { sleep } from "../time.ts";
import type { Experience } from "./experience.ts";
import { IllegalTransition, type Job } from "./job.ts";
import type { Ledger } from "./ledger.ts";
import { plan, type Read, type Watch } from "./poll-plan.ts";

/** Reads under way at once: few, so that the next one is chosen when there is a slot for it. */
const MAX_READS = 4;

/** The share of the published status rate that the poller spends; the rest is for people's own requests. */
const BUDGET_SHARE = 0.8;

/** What a poller works with. */
export interface PollerParts {
  readonly ledger: Ledger;
  readonly accounts: Accounts;
  readonly experience: Experience;
  readonly log: Logger;
  /** The least time between two reads of one job, in milliseconds. */
  readonly pollMs: number;
  /** The window in which the service counts, in milliseconds. */
  readonly rateWindowMs: number;
}

/** A running job and what has been read of it. */
interface Watched {
  job: Job;
  /** What tells how long it takes: it stays, and there may be thousands to plan with. */
  readonly size: string;
  readAt: number | undefined;
  needsDetail: boolean;
  /** A read is under way. */
  reading: boolean;
  /** Watched since it was accepted: what it took is what jobs take, without anybody's downtime. */
  readonly whole: boolean;
}

/**
 * Asks the service about running jobs, when `poll-plan` says that it is worth asking, and writes what it
 * says in the ledger. A failed read is no answer: the job goes on running.
 */
export class Poller {
  readonly #parts: PollerParts;
  readonly #watched = new Map<string, Watched>();
  readonly #reads = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #loop = Promise.resolve();
  #unsubscribe = () => {};

  constructor(parts: PollerParts) {
    this.#parts = parts;
  }

  /** Takes up every running job, and from then on each one that is accepted. */
  async start(): Promise<void> {
    const { ledger } = this.#parts;
    this.#unsubscribe = ledger.onChange(({ job, before }) =>
      this.#follow(job, before?.state === "submitting"),
    );
    for (const job of await ledger.inState("running")) this.#follow(job, false);
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    this.#wake.abort();
    await this.#loop;
    await Promise.allSettled(this.#reads);
  }

  #follow(job: Job, whole: boolean): void {
    const watched = this.#watched.get(job.id);
    if (job.state !== "running") this.#watched.delete(job.id);
    else if (watched) watched.job = job;
    else {
      const size = operationOf(job.operation).size(job.values);
      this.#watched.set(job.id, { job, size, readAt: undefined, needsDetail: false, reading: false, whole });
      this.#wake.abort();
    }
  }

  async #run(): Promise<void> {
    const { pollMs, rateWindowMs } = this.#parts;
    const readsPerMs = (RATE_LIMITS.status * BUDGET_SHARE) / rateWindowMs;
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      const now = Date.now();
      const next = plan(this.#watches(), now, { pollMs, readsPerMs });
      if ("read" in next && this.#reads.size < MAX_READS) {
        this.#begin(next.read);
      } else {
        const until = "read" in next ? Number.POSITIVE_INFINITY : next.waitUntil;
        await sleep(Math.min(until - now, rateWindowMs), this.#wake.signal).catch(() => undefined);
      }
    }
  }

  #watches(): Watch[] {
    return [...this.#watched.values()]
      .filter(({ reading }) => !reading)
      .map(({ job, size, readAt, needsDetail }) => {
        const operation = operationOf(job.operation);
        return {
          id: job.id,
          // Each host has a list of its own, as far as is known.
          keyId: `${job.keyId} ${job.host}`,
          listed: operation.listed,
          acceptedAt: job.acceptedAt ?? job.createdAt,
          soonestMs: this.#parts.experience.soonestMs(operation.id, size),
          usualMs: this.#parts.experience.usualMs(operation.id, size),
          readAt,
          needsDetail,
        };
      });
  }

  #begin(read: Read): void {
    const group = read.watches.flatMap(({ id }) => this.#watched.get(id) ?? []);
    for (const watched of group) watched.reading = true;
    const reading = (read.kind === "list" ? this.#readList(group) : this.#readJobs(group))
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted)
          this.#parts.log.warn({ err: error }, "A status read failed; the jobs go on");
      })
      .finally(() => {
        for (const watched of group) Object.assign(watched, { reading: false, readAt: Date.now() });
        this.#reads.delete(reading);
        this.#wake.abort();
      });
    this.#reads.add(reading);
  }

  async #readJobs(group: readonly Watched[]): Promise<void> {
    for (const watched of group) {
      const { job } = watched;
      try {
        const record = await operationOf(job.operation).read(await this.#api(job), job.serviceId ?? "");
        await this.#take(watched, record, "single");
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        // Deleted elsewhere: there is nothing to wait for any more.
        const gone = { code: "not_found", params: {} } as const;
        await this.#parts.ledger.apply(job, { type: "failed", at: Date.now(), error: gone, cost: null });
      }
    }
  }

  /** Pages are read until every job of the group was seen; one that the list does not show is read by itself. */
  async #readList(group: readonly Watched[]): Promise<void> {
    const [first] = group;
    if (!first) return;
    const api = await this.#api(first.job);
    const missing = new Map(group.map((watched) => [watched.job.serviceId, watched]));
    for (let page = 1; missing.size > 0; page++) {
      const list = await api.jobs({ page, perPage: JOBS_PER_PAGE.max });
      for (const record of list.jobs) {
        const watched = missing.get(record.id);
        if (!watched) continue;
        missing.delete(record.id);
        watched.needsDetail = !(await this.#take(watched, record, "listed"));
      }
      if (!list.hasNext) break;
    }
    for (const watched of missing.values()) watched.needsDetail = true;
  }

  async #api(job: Job) {
    const account = await this.#parts.accounts.of(job);
    return account.api({ background: true, signal: this.#stop.signal });
  }

  /**
   * Writes what a record says.
   * @returns false when it tells of an end but not all of it: the list leaves out why a job failed (section 2.5)
   */
  async #take({ job, size, whole }: Watched, record: JobRecord, form: "listed" | "single"): Promise<boolean> {
    const { ledger } = this.#parts;
    const at = Date.now();
    const { state, cost } = record;
    try {
      if (state === "running") {
        const { progress } = record;
        if (progress !== null && progress > (job.progress ?? 0))
          await ledger.apply(job, { type: "progressed", progress });
        return true;
      }
      if (state === "completed") {
        const result = resultOf(record);
        if (result.length === 0 && form === "listed") return false;
        if (result.length === 0)
          throw new Error("The service says that a job has ended but not where its result is.");
        await ledger.apply(job, { type: "completed", at, result, cost });
        if (whole) await this.#learn(job, size, record, at);
        return true;
      }
      if (record.error === null && form === "listed") return false;
      const error = { code: "job_failed", params: { reason: record.error ?? "" } } as const;
      await ledger.apply(job, { type: "failed", at, error, cost });
    } catch (error) {
      // Another read of the same job was faster.
      if (!(error instanceof IllegalTransition)) throw error;
    }
    return true;
  }

  async #learn(job: Job, size: string, record: JobRecord, now: number): Promise<void> {
    const { experience } = this.#parts;
    const { createdAt, completedAt, cost } = record;
    const ms =
      createdAt !== null && completedAt !== null ? completedAt - createdAt : now - (job.acceptedAt ?? now);
    await experience.took(job.operation, size, Math.max(0, ms));
    if (cost !== null) await experience.charged(job.operation, size, cost);
  }
}

function resultOf(record: JobRecord): readonly string[] {
  if (record.resultUrls.length > 0) return record.resultUrls;
  const url = record.videoUrl ?? record.imageUrl;
  return url === null ? [] : [url];
}
