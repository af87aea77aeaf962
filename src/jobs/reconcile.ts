import type { Account, Accounts } from "../accounts/accounts.ts";
import type { MediaApi } from "../api/media-api.ts";
import type { JobRecord } from "../api/media-api.ts";
import { type ErrorCode, ReelayError } from "../errors.ts";
import type { Operation } from "../operations/operation.ts";
import { operationOf } from "../operations/registry.ts";
import type { Logger } from "../telemetry.ts";
import { sleep } from "../time.ts";
import { IllegalTransition, type Job } from "./job.ts";
import type { Ledger } from "./ledger.ts";
import { isUncharged } from "./uncharged.ts";

/** How far the service's clock may be from ours, in milliseconds: its timestamps are only a first sieve. */
const CLOCK_SKEW_MS = 10 * 60_000;

/** Pauses between looks, in units of the least time between two reads: a lost submission may still be arriving. */
const LOOKS = [0, 1, 2, 3] as const;

/** A key that was forgotten, or cannot be decrypted any more. */
const KEY_GONE: ReadonlySet<ErrorCode> = new Set(["not_connected", "key_unreadable"]);

/** What a reconciler works with. */
export interface ReconcilerParts {
  readonly ledger: Ledger;
  readonly accounts: Accounts;
  readonly log: Logger;
  /** The least time between two looks, in milliseconds. */
  readonly pollMs: number;
}

/**
 * Settles jobs whose submission's answer was lost, by looking, never by repeating: a job of the service that
 * nobody else has and that was given the same is adopted; when every look finds none, nothing was accepted
 * and the job goes back in the queue. Where the list does not show such jobs, the balance tells whether one was
 * charged.
 */
export class Reconciler {
  readonly #parts: ReconcilerParts;
  readonly #stop = new AbortController();
  readonly #settling = new Map<string, Promise<void>>();
  #unsubscribe = () => {};

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  /** Takes up every unsure job, and from then on each one that comes. */
  async start(): Promise<void> {
    const { ledger } = this.#parts;
    this.#unsubscribe = ledger.onChange(({ job }) => {
      if (job.state === "unsure") this.#take(job);
    });
    for (const job of await ledger.inState("unsure")) this.#take(job);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    await Promise.allSettled(this.#settling.values());
  }

  #take(job: Job): void {
    if (this.#settling.has(job.id) || this.#stop.signal.aborted) return;
    const settling = this.#persist(job).finally(() => this.#settling.delete(job.id));
    this.#settling.set(job.id, settling);
  }

  /** Settles a job, again after whatever stopped it: an unsure job must not stay so. */
  async #persist(job: Job): Promise<void> {
    const { log, pollMs } = this.#parts;
    while (!this.#stop.signal.aborted) {
      try {
        return await this.#settle(job);
      } catch (error) {
        if (error instanceof IllegalTransition || this.#stop.signal.aborted) return;
        log.error({ err: error, job: job.id }, "Settling stopped unexpectedly; beginning anew");
        await sleep(pollMs, this.#stop.signal).catch(() => undefined);
      }
    }
  }

  async #settle(job: Job): Promise<void> {
    const { ledger, accounts, log, pollMs } = this.#parts;
    const operation = operationOf(job.operation);
    const account = await accounts.of(job).catch((error: unknown) => {
      // Without its key nobody can look. Anything else passes, and is tried again.
      if (error instanceof ReelayError && KEY_GONE.has(error.code)) return undefined;
      throw error;
    });
    if (!account) return this.#giveUp(job);
    for (const pause of LOOKS) {
      await sleep(pause * pollMs, this.#stop.signal);
      const found = await this.#look(account, operation, job);
      if (found === "untraceable") return this.#giveUp(job);
      if (found !== "absent") {
        const { id: serviceId, cost, createdAt } = found;
        const at = Math.min(createdAt ?? Date.now(), Date.now());
        await ledger.apply(job, { type: "accepted", at, serviceId, cost, balance: await balanceOf(account) });
        log.info({ job: job.id }, "A submission whose answer was lost had been accepted: adopted");
        return;
      }
    }
    await ledger.apply(job, { type: "absent" });
    log.info({ job: job.id }, "A submission whose answer was lost had not been accepted: queued again");
  }

  /** One look at the job list, and at the balance where that may not show the job; repeated until the service answers. */
  async #look(
    account: Account,
    operation: Operation,
    job: Job,
  ): Promise<JobRecord | "absent" | "untraceable"> {
    const { ledger } = this.#parts;
    for (;;) {
      try {
        const found = await this.#find(account.api({ signal: this.#stop.signal }), operation, job);
        if (found) return found;
        return operation.listed || (await isUncharged(job, account, ledger)) ? "absent" : "untraceable";
      } catch (error) {
        this.#stop.signal.throwIfAborted();
        this.#parts.log.warn(
          { err: error, job: job.id },
          "Looking for a lost submission failed; looking again",
        );
        await sleep(this.#parts.pollMs, this.#stop.signal);
      }
    }
  }

  async #find(api: MediaApi, operation: Operation, job: Job): Promise<JobRecord | undefined> {
    const since = (job.submittedAt ?? job.createdAt) - CLOCK_SKEW_MS;
    const recent: JobRecord[] = [];
    let last: number | undefined;
    let newestFirst: boolean | undefined;
    for await (const record of api.allJobs()) {
      const createdAt = record.createdAt ?? since;
      // The order of the list is not documented: only one that is seen to go back in time may be cut short.
      if (last !== undefined && createdAt !== last) newestFirst = (newestFirst ?? true) && createdAt < last;
      last = createdAt;
      if (createdAt >= since && record.type === operation.type) recent.push(record);
      if (createdAt < since && newestFirst) break;
    }
    const taken = await this.#parts.ledger.known(
      job.keyId,
      recent.map(({ id }) => id),
    );
    for (const record of recent.filter(({ id }) => !taken.has(id))) {
      if ((await operation.fingerprintOf(api, record)) === job.fingerprint) return record;
    }
    return undefined;
  }

  /** Where looking cannot tell, the person is told so: nothing is sent again behind their back. */
  async #giveUp(job: Job): Promise<void> {
    const error = { code: "lost_track", params: {} } as const;
    await this.#parts.ledger.apply(job, { type: "failed", at: Date.now(), error, cost: null });
  }
}

async function balanceOf(account: Account): Promise<number | null> {
  return account.balance().catch(() => null);
}
