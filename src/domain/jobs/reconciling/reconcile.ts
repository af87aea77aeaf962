import type { Account, Accounts } from "../../accounts/accounts.ts";
import { isKeyGone, isKeyRefused } from "../../accounts/refused.ts";
import { operationOf } from "../../operations/registry.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import { asReelayError } from "../../../common/errors.ts";
import { currentTime, sleep } from "../../../common/time.ts";
import type { Evidence, Listed } from "./doubt.ts";
import { judge } from "./evidence.ts";
import type { Experience } from "../experience/experience.ts";
import { type Compared, gather, type Sources } from "./gather.ts";
import { IllegalTransition, type Job } from "../job.ts";
import type { Ledger } from "../ledger.ts";
import { byOurs } from "./service-clock.ts";

/** How long a job is looked for that was charged: a list may show it minutes late. In units of {@link ON_ITS_WAY_MS}. */
const LATE_LIST = 1.5;

/** The same where the list may never show it: one more look or two. */
const LATE_NUMBERS = 0.5;

/** Looks that there are at least once nothing can arrive any more: one may fall between two charges, or long after. */
const LEAST_LOOKS = 5;

/** The longest pause between two looks, in units of the least time between two reads. */
const LONGEST_PAUSE = 6;

/** The longest pause between looks with a key that the service refuses, in least times between two reads: an hour. */
const REFUSED_PAUSE = 720;

/**
 * So often a job is sent of which it is proven each time that it was not accepted: then something between refuses it, such as a
 * proxy that takes no file as large, and its person is told.
 */
const MOST_REFUSED = 5;

/** What a reconciler works with. */
export interface ReconcilerParts {
  readonly ledger: Ledger;
  readonly accounts: Accounts;
  readonly experience: Experience;
  readonly log: Logger;
  /** The least time between two looks, in milliseconds. */
  readonly pollMs: number;
  /** How long after its answer was lost a submission may still be accepted, in milliseconds. */
  readonly onItsWayMs: number;
  /** See {@link Sources}. */
  readonly clockSetBackAt: Sources["clockSetBackAt"];
}

/**
 * Settles jobs whose submission's answer was lost, by looking, never by repeating: what the evidence shows to be
 * theirs is adopted, what it proves not to have been accepted goes back in the queue (see `judge`), a few times. Where neither can be
 * told for some minutes, the person is told what can. A job that the list shows later still is not looked for any more:
 * by then its person may have paid for another.
 */
export class Reconciler {
  readonly #parts: ReconcilerParts;
  readonly #stop = new AbortController();
  /** By job, and how often it was taken over: who stood still may get a job back while it looks for it as it had it before. */
  readonly #settling = new Map<string, Promise<void>>();
  /** How often each job was not accepted, in a row. A restart forgets it: then it is sent some more times. */
  readonly #refused = new Map<string, number>();
  #unsubscribe = () => {};

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  /** Takes up every unsure job, and from then on each one that comes. */
  async start(): Promise<void> {
    const { ledger } = this.#parts;
    this.#unsubscribe = ledger.onChange(({ job }) => {
      if (job.state === "unsure") this.#take(job);
      else if (job.state !== "queued" && job.state !== "submitting") this.#refused.delete(job.id);
    });
    for (const job of await ledger.inState("unsure")) this.#take(job);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    await Promise.allSettled(this.#settling.values());
  }

  #take(job: Job): void {
    const name = `${job.id} ${job.fence}`;
    if (this.#settling.has(name) || this.#stop.signal.aborted) return;
    const settling = this.#persist(job).finally(() => this.#settling.delete(name));
    this.#settling.set(name, settling);
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
    const { accounts, ledger, onItsWayMs } = this.#parts;
    const account = await accounts.of(job).catch((error: unknown) => {
      // Without its key nobody can look. Anything else passes, and is tried again.
      if (isKeyGone(error)) return undefined;
      throw error;
    });
    if (!account) return this.#giveUp(job, null);
    const { listed } = operationOf(job.operation);
    const compared: Compared = new Map();
    let late = 0;
    for (let looks = 1; ; looks++) {
      // Where the clock was set back since, its times are others (see `keepTime`).
      const current = await ledger.find(job.id);
      // Somebody else settles it, or it is erased.
      if (current?.fence !== job.fence) return;
      // A version before kept no time of the loss.
      const arrivedBy = (current.lostAt ?? current.submittedAt ?? current.createdAt) + onItsWayMs;
      const lookUntil = arrivedBy + onItsWayMs * (listed ? LATE_LIST : LATE_NUMBERS);
      const evidence = await this.#look(current, { arrivedBy, lookUntil }, account, compared);
      if (!evidence) return this.#giveUp(current, null);
      const verdict = judge(evidence);
      if (verdict.is === "accepted") return this.#adopt(current, verdict.record, evidence);
      if (verdict.is === "not accepted") return this.#sendAgain(current);
      if (evidence.now.from >= arrivedBy) late += 1;
      if (evidence.now.from >= lookUntil && late >= LEAST_LOOKS)
        return this.#giveUp(current, verdict.charged, evidence.doubt.price);
      await sleep(this.#pause(looks, [arrivedBy, lookUntil]), this.#stop.signal);
    }
  }

  /** What was proven not to have been accepted may leave once more. */
  async #sendAgain(job: Job): Promise<void> {
    const { ledger, log } = this.#parts;
    const refused = (this.#refused.get(job.id) ?? 0) + 1;
    this.#refused.set(job.id, refused);
    if (refused < MOST_REFUSED) {
      await ledger.settle(job, { type: "absent" });
      log.info({ job: job.id }, "A submission whose answer was lost had not been accepted: queued again");
      return;
    }
    const error = { code: "service_error", params: {} } as const;
    await ledger.settle(job, { type: "failed", at: currentTime(), error, cost: 0 });
    log.warn({ job: job.id }, "A submission is lost each time and was never accepted: given up");
  }

  /** Growing pauses, and none beyond a time that decides. */
  #pause(looks: number, times: readonly number[]): number {
    const now = currentTime();
    const pause = Math.min(looks, LONGEST_PAUSE) * this.#parts.pollMs;
    return Math.min(pause, ...times.filter((time) => time > now).map((time) => time - now));
  }

  async #adopt(
    job: Job,
    { id: serviceId, cost, createdAt }: Listed,
    { now, clock }: Evidence,
  ): Promise<void> {
    const latest = createdAt === null || !clock ? now.to : byOurs(createdAt, clock).to;
    const at = Math.max(job.submittedAt ?? 0, Math.min(latest, now.to));
    await this.#parts.ledger.settle(job, { type: "accepted", at, serviceId, cost, balance: now.tokens });
    this.#parts.log.info({ job: job.id }, "A submission whose answer was lost had been accepted: adopted");
  }

  /**
   * One look, repeated until the service answers.
   * @returns undefined where something of ours keeps it from looking to the end, such as a job whose values an earlier version took
   */
  async #look(
    job: Job,
    { arrivedBy, lookUntil }: { readonly arrivedBy: number; readonly lookUntil: number },
    account: Account,
    compared: Compared,
  ): Promise<Evidence | undefined> {
    const sources = { ...this.#parts, signal: this.#stop.signal };
    for (let tries = 1; ; tries++) {
      try {
        return await gather(job, arrivedBy, account, compared, sources);
      } catch (error) {
        this.#stop.signal.throwIfAborted();
        this.#parts.log.warn(
          { err: error, job: job.id },
          "Looking for a lost submission failed; looking again",
        );
        if (asReelayError(error).code === "internal" && currentTime() >= lookUntil) return undefined;
        const pause = isKeyRefused(error)
          ? Math.min(tries * tries, REFUSED_PAUSE)
          : Math.min(tries, LONGEST_PAUSE);
        await sleep(pause * this.#parts.pollMs, this.#stop.signal);
      }
    }
  }

  /** Where looking cannot tell, the person is told so: nothing is sent again behind their back. */
  async #giveUp(job: Job, charged: boolean | null, price: number | null = null): Promise<void> {
    const cost = charged ? price : null;
    const error = { code: codeOf(charged), params: cost === null ? {} : { tokens: cost } } as const;
    await this.#parts.ledger.settle(job, { type: "failed", at: currentTime(), error, cost });
    this.#parts.log.warn(
      { job: job.id, code: error.code },
      "A submission whose answer was lost was not found",
    );
  }
}

function codeOf(charged: boolean | null) {
  if (charged === null) return "lost_track";
  return charged ? "lost_charged" : "lost_uncharged";
}
