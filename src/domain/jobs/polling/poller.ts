import type { AccountCallOptions, Accounts } from "../../accounts/accounts.ts";
import { isKeyGone, isKeyRefused } from "../../accounts/refused.ts";
import {
  type ServiceJob,
  type MediaApi,
  NotFound,
  Unauthorized,
} from "../../../infrastructure/api/media-api.ts";
import { JOBS_PER_PAGE, RATE_LIMITS } from "../../../common/contract.ts";
import { operationOf } from "../../operations/registry.ts";
import { backgroundLimit } from "../../../infrastructure/queue/limiter.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import { Sleeper } from "../../../common/sleeper.ts";
import { currentTime, setBackBy, steady } from "../../../common/time.ts";
import { readWithAnyKey } from "../any-key.ts";
import { findElsewhere } from "./elsewhere.ts";
import type { Experience } from "../experience/experience.ts";
import { type Awaited, IllegalTransition, type Job, type Transition } from "../job.ts";
import type { Ledger } from "../ledger.ts";
import { type Plan, plan, type Read, type Watch } from "./poll-plan.ts";
import type { ReadTimes } from "./read-times.ts";
import { takeRecord } from "./taking.ts";
import { trace } from "../trace.ts";
import {
  KEY_WAIT_MS,
  MISSING_PAUSES,
  MISSING_TRIES,
  pauseAfter,
  type Pauses,
  REFUSED_PAUSES,
} from "../waits.ts";

/** Reads that wait for a slot at once, of a key and by an address: few, so that the next one is chosen when there is a slot for it. */
const MAX_WAITING = 4;

/** Those under way: so many that a service which takes 4 s to answer, 15 s for several keys, is asked as often as it may be. */
const MAX_READS = { ofKey: 8, byAddress: 32 };

/** How often jobs that wait for something are looked at in the ledger, in milliseconds: another process may have woken them. */
const LOOK_EVERY_MS = 15_000;

/** What a poller works with. */
export interface PollerParts {
  readonly ledger: Ledger;
  readonly accounts: Accounts;
  readonly experience: Experience;
  readonly readTimes: ReadTimes;
  readonly log: Logger;
  /** The least time between two reads of one job, in milliseconds. */
  readonly pollMs: number;
  /** The window in which the service counts, in milliseconds. */
  readonly rateWindowMs: number;
  /** By how many addresses requests leave: each has the published rate, and so has each key. */
  readonly egresses: number;
}

/** A running job and what has been read of it. Times are those of this process (`steady`): the machine's clock may be set back. */
interface Watched {
  job: Job;
  readonly acceptedAt: number;
  /** What waits for something is not to be read sooner. */
  heldUntil: number;
  // What stays, or seldom changes, is made once: there may be thousands to plan with, for each read anew.
  readonly size: string;
  /** Jobs of the same kind take as long as each other. */
  readonly kind: string;
  /** Whether a list shows it. */
  readonly listed: boolean;
  /** The list that shows it: each host has one of its own for each key, as far as is known. */
  list: string;
  readAt: number | undefined;
  /** When it was last seen to run. */
  ranAt: number;
  needsDetail: boolean;
  /** The list did not show it when it was read last: it is read by itself once. */
  unseen: boolean;
  /** A read is under way. */
  reading: boolean;
  /** Not to be read sooner: whoever watched it before may have been reading it until then. */
  readonly notBefore: number;
  /** Watched since it was accepted: what it took is what jobs take, without anybody's downtime. */
  readonly whole: boolean;
}

/** A read that is under way. */
interface Reading {
  readonly keyId: string;
  /** Whether it waits for its slot. */
  waits: boolean;
}

/**
 * Asks the service about running jobs, when `poll-plan` says that it is worth asking, and writes what it
 * says in the ledger. A failed read is no answer: the job goes on running.
 */
export class Poller {
  readonly #parts: PollerParts;
  readonly #watched = new Map<string, Watched>();
  readonly #reads = new Map<Promise<void>, Reading>();
  readonly #stop = new AbortController();
  #lookedAt = 0;
  readonly #sleeper = new Sleeper();
  #loop = Promise.resolve();
  #unsubscribe = () => {};

  constructor(parts: PollerParts) {
    this.#parts = parts;
  }

  /** Takes up every running job, and from then on each one that is accepted. */
  async start(): Promise<void> {
    const { ledger, readTimes } = this.#parts;
    const times = await readTimes.all();
    this.#unsubscribe = ledger.onChange(({ job, before }) =>
      this.#follow(job, before?.state === "submitting"),
    );
    for (const job of await ledger.inState("running")) this.#follow(job, false, times.get(job.id));
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    this.#sleeper.wake();
    await this.#loop;
    await Promise.allSettled(this.#reads.keys());
  }

  #follow(job: Job, whole: boolean, readAt?: number): void {
    const watched = this.#watched.get(job.id);
    if (job.state !== "running") this.#watched.delete(job.id);
    else if (watched) {
      const isWoken = job.awaits !== null && job.notBefore < watched.job.notBefore;
      if (job.notBefore !== watched.job.notBefore) watched.heldUntil = job.notBefore + setBackBy();
      watched.job = job;
      watched.list = listOf(job);
      if (isWoken) this.#sleeper.wake();
    } else {
      const operation = operationOf(job.operation);
      const size = operation.size(job.values);
      const acceptedAt = asOurs(job.acceptedAt ?? job.createdAt);
      const heldUntil = job.notBefore + setBackBy();
      const notBefore = whole ? 0 : steady() + this.#parts.pollMs;
      const fresh = { ranAt: acceptedAt, needsDetail: false, unseen: false, reading: false };
      const lastRead = readAt === undefined ? undefined : asOurs(readAt);
      const times = { acceptedAt, heldUntil, readAt: lastRead, notBefore };
      const kind = `${job.operation} ${size}`;
      const read = { listed: operation.listed, list: listOf(job) };
      this.#watched.set(job.id, { job, whole, size, kind, ...read, ...times, ...fresh });
      this.#sleeper.wake();
    }
  }

  async #run(): Promise<void> {
    const { log, rateWindowMs } = this.#parts;
    while (!this.#stop.signal.aborted) {
      const now = steady();
      const next = this.#next(now);
      if ("read" in next) {
        this.#begin(next.read);
        continue;
      }
      const isHeld = [...this.#watched.values()].some(({ job }) => job.awaits !== null);
      const look = isHeld ? Math.max(0, this.#lookedAt + LOOK_EVERY_MS - now) : Infinity;
      const pause = Math.min(next.waitUntil - now, rateWindowMs, look);
      await this.#sleeper.sleep(pause);
      if (isHeld)
        await this.#look().catch((err: unknown) =>
          log.error({ err }, "The poller could not read the ledger"),
        );
    }
  }

  /** What to read now, or when to look again: where there is no room for another read, once there is. */
  #next(now: number): Plan {
    const { pollMs, rateWindowMs } = this.#parts;
    const rates = this.#rates;
    if (!hasRoom([...this.#reads.values()], MAX_READS.byAddress, rates)) return { waitUntil: Infinity };
    // What people use of it meanwhile, the limiter keeps for them.
    const readsPerMs = (rates * backgroundLimit(RATE_LIMITS.status, 0)) / rateWindowMs;
    return plan(this.#watches(), now, { pollMs, readsPerMs });
  }

  /** How many times the published rate of reads may be used: by so many addresses, under as many keys. */
  get #rates(): number {
    const { egresses } = this.#parts;
    if (egresses === 1) return 1;
    const keys = new Set([...this.#watched.values()].map(({ job }) => job.keyId));
    return Math.max(1, Math.min(egresses, keys.size));
  }

  /** Takes notice of jobs that another process woke. */
  async #look(): Promise<void> {
    if (steady() < this.#lookedAt + LOOK_EVERY_MS) return;
    this.#lookedAt = steady();
    for (const job of await this.#parts.ledger.inState("running"))
      if (job.awaits !== null) this.#follow(job, false);
  }

  #watches(): Watch[] {
    const { experience } = this.#parts;
    // One job at a time asks for all that wait for the same key.
    const asked = new Set<string>();
    const all = [...this.#watched.values()];
    for (const { job, reading } of all) if (reading && job.awaits === "key") asked.add(job.keyId);
    const readsOf = Object.groupBy(this.#reads.values(), ({ keyId }) => keyId);
    const mayBeRead = ({ keyId }: Job) => hasRoom(readsOf[keyId] ?? [], MAX_READS.ofKey);
    const asks = ({ awaits, keyId }: Job) =>
      awaits !== "key" || (!asked.has(keyId) && asked.add(keyId) !== undefined);
    const kinds = new Map<string, Pick<Watch, "durations"> & { ranMs: number }>();
    for (const { job, acceptedAt, size, kind, ranAt } of all) {
      const known = kinds.get(kind) ?? { durations: experience.durations(job.operation, size), ranMs: 0 };
      known.ranMs = Math.max(known.ranMs, ranAt - acceptedAt);
      kinds.set(kind, known);
    }
    return all
      .filter(({ job, reading }) => !reading && mayBeRead(job) && asks(job))
      .map(({ job, acceptedAt, heldUntil, kind, listed, list, readAt, needsDetail, unseen, notBefore }) => {
        const isHeld = job.awaits !== null;
        return {
          id: job.id,
          keyId: list,
          listed: listed && !unseen,
          acceptedAt,
          durations: kinds.get(kind)?.durations,
          ranMs: kinds.get(kind)?.ranMs ?? 0,
          readAt,
          needsDetail: needsDetail || isHeld,
          notBefore: Math.max(isHeld ? heldUntil : 0, notBefore),
          isHeld,
        };
      });
  }

  #begin(read: Read): void {
    const group = read.watches.flatMap(({ id }) => this.#watched.get(id) ?? []);
    for (const watched of group) {
      watched.reading = true;
      trace("read", watched.job);
    }
    const report = (err: unknown) => {
      if (!this.#stop.signal.aborted) this.#parts.log.warn({ err }, "What was read could not be kept");
    };
    const one: Reading = { keyId: group[0]?.job.keyId ?? "", waits: true };
    const onLeave = () => {
      one.waits = false;
      this.#sleeper.wake();
    };
    const options = { background: true, signal: this.#stop.signal, onLeave };
    const reading = (read.kind === "list" ? this.#readList(group, options) : this.#readJobs(group, options))
      .catch((error: unknown) => this.#failed(group, error))
      .catch(report)
      .then(() => this.#noteRead(group))
      .catch(report)
      .finally(() => {
        for (const watched of group) watched.reading = false;
        this.#reads.delete(reading);
        this.#sleeper.wake();
      });
    this.#reads.set(reading, one);
  }

  /** For this process, and for the next one: it must not read them sooner than is allowed. */
  async #noteRead(group: readonly Watched[]): Promise<void> {
    for (const watched of group) watched.readAt = steady();
    const going = group.filter(({ job }) => this.#watched.has(job.id));
    if (going.length > 0)
      await this.#parts.readTimes.keep(
        going.map(({ job }) => job.id),
        currentTime(),
      );
  }

  async #failed(group: readonly Watched[], error: unknown): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const [first] = group;
    // What an account is refused for one job need not concern the others.
    const isDead = error instanceof Unauthorized || isKeyGone(error);
    if (first && isKeyRefused(error)) await this.#refuse(isDead ? this.#ofKey(first.job.keyId) : group);
    this.#parts.log.warn({ err: error }, "A status read failed; the jobs go on");
  }

  async #readJobs(group: readonly Watched[], options: AccountCallOptions): Promise<void> {
    for (const watched of group) {
      if (watched.job.awaits === "key") await this.#readWithAnyKey(watched, options);
      else await this.#readJob(watched, await this.#api(watched.job, options));
    }
  }

  async #readJob(watched: Watched, api: MediaApi): Promise<void> {
    const { operation: name, serviceId } = watched.job;
    const operation = operationOf(name);
    const record = await operation.read(api, serviceId ?? "").catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
      return findElsewhere(api, operation, serviceId ?? "");
    });
    watched.unseen = false;
    watched.needsDetail = false;
    await (record ? this.#take(watched, record, "single") : this.#miss(watched.job));
  }

  /** One read tells for all jobs of a key whether they go on. */
  async #readWithAnyKey(watched: Watched, options: AccountCallOptions): Promise<void> {
    const { accounts } = this.#parts;
    const { keyId: before } = watched.job;
    const read = await readWithAnyKey(watched.job, accounts, options).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
      return { record: undefined, keyId: before };
    });
    for (const { job } of this.#ofKey(before))
      if (job.awaits === "key") await this.#apply(job, { type: "resumed", keyId: read.keyId });
    await (read.record ? this.#take(watched, read.record, "single") : this.#miss(watched.job));
  }

  /** The service says that it has no such job. Once is a question; for long, the end. */
  async #miss(job: Job): Promise<void> {
    const tries = job.awaits === "record" ? job.attempts + 1 : 1;
    if (tries >= MISSING_TRIES) {
      const error = { code: "job_missing", params: {} } as const;
      await this.#apply(job, { type: "failed", at: currentTime(), error, cost: null });
    } else await this.#hold(job, "record", MISSING_PAUSES);
  }

  /** Their key is refused, or gone: they are not read for a while, or, after long, any more. */
  async #refuse(group: readonly Watched[]): Promise<void> {
    const now = currentTime();
    for (const { job } of group) {
      if (now - (job.acceptedAt ?? now) > KEY_WAIT_MS) {
        const error = { code: "key_lost", params: {} } as const;
        await this.#apply(job, { type: "failed", at: now, error, cost: null });
      } else await this.#hold(job, "key", REFUSED_PAUSES);
    }
  }

  #ofKey(keyId: string): Watched[] {
    return [...this.#watched.values()].filter(({ job }) => job.keyId === keyId);
  }

  async #hold(job: Job, awaits: Awaited, pauses: Pauses): Promise<void> {
    const tries = job.awaits === awaits ? job.attempts : 0;
    const until = currentTime() + this.#parts.pollMs * pauseAfter(tries, pauses);
    await this.#apply(job, { type: "held", awaits, until });
  }

  async #apply(job: Job, event: Transition): Promise<void> {
    await this.#parts.ledger.apply(job, event).catch((error: unknown) => this.#leave(job, error));
  }

  /** Another read of the same job was faster, and it is followed as that one left it; or another process took it over. */
  #leave(job: Job, error: unknown): void {
    if (!(error instanceof IllegalTransition)) throw error;
    if (this.#watched.get(job.id)?.job === job) this.#watched.delete(job.id);
  }

  /** Pages are read until every job of the group was seen; one that the list does not show is read by itself. */
  async #readList(group: readonly Watched[], options: AccountCallOptions): Promise<void> {
    const [first] = group;
    if (!first) return;
    const api = await this.#api(first.job, options);
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
    for (const watched of missing.values()) watched.unseen = true;
  }

  async #api(job: Job, options: AccountCallOptions) {
    return (await this.#parts.accounts.of(job)).api(options);
  }

  async #take(watched: Watched, record: ServiceJob, form: "listed" | "single"): Promise<boolean> {
    const now = steady();
    const { job, acceptedAt, ranAt } = watched;
    try {
      const ran = { least: ranAt - acceptedAt, most: now - acceptedAt };
      const isTold = await takeRecord(this.#parts, { ...watched, ran }, record, form, currentTime());
      if (record.state === "running") watched.ranAt = now;
      return isTold;
    } catch (error) {
      this.#leave(job, error);
      return true;
    }
  }
}

/** Whether one more may be begun beside these. */
const hasRoom = (reads: readonly Reading[], most: number, rates = 1) =>
  reads.length < rates * most && reads.filter(({ waits }) => waits).length < rates * MAX_WAITING;

/** A moment that was kept, as this process counts time: it is over. @param at milliseconds since 1970 */
const asOurs = (at: number) => Math.min(at + setBackBy(), steady());

const listOf = ({ keyId, host }: Job) => `${keyId} ${host}`;
