import { decimal } from "../../../seam/amounts.ts";
import type { Readable } from "node:stream";
import type { Accounts } from "../../accounts/accounts.ts";
import { Network, NoFreeSlot, RateLimited, Unsure } from "../../../infrastructure/api/transport/errors.ts";
import type { MediaRef } from "../../../seam/values.ts";
import { asReelayError, ReelayError } from "../../../common/errors.ts";
import { fieldsOf } from "../../operations/fields.ts";
import { OrderFiles } from "../../operations/order.ts";
import { operationOf } from "../../operations/registry.ts";
import { isStorageDown } from "../../../infrastructure/storage/keeper.ts";
import type { Permit, Slots } from "../../../infrastructure/queue/slots.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import { ageOf, atMost, currentTime, instant, sleep } from "../../../common/time.ts";
import type { Experience } from "../experience/experience.ts";
import { IllegalTransition, isOpen, type Job, type JobChange, type Transition } from "../job.ts";
import { type Lane, laneOf } from "../lane.ts";
import type { KeyChoice } from "./key-choice.ts";
import { type Lease, LeaseLapsed } from "./lease.ts";
import type { Ledger } from "../ledger.ts";
import { Line } from "../../../common/line.ts";
import { Sleeper } from "../../../common/sleeper.ts";
import { explained } from "../quote.ts";
import { unfetched } from "../../../common/unfetched.ts";
import type { Runners } from "./runners.ts";
import { trace } from "../trace.ts";

/** The first pause after the service could not be reached; doubles up to the longest, in milliseconds. */
const UNREACHABLE_MS = { first: 1_000, longest: 60_000 } as const;

/** How long the account's numbers are waited for once everything else is ready, in milliseconds: they only help in doubt. */
const NUMBERS_PATIENCE_MS = 1_000;

/** How long a stop waits for answers of the service, in milliseconds: a process has twice that until it leaves anyway. */
const ANSWER_MS = 5_000;

/** The longest wait without looking at the ledger again, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/**
 * The last byte of a submission leaves at most so long after `Job.releasedAt`, if at all, in milliseconds: from then on only
 * the network and the service hold it.
 */
export const RELEASE_MS = 5_000;

/** The right to send a job, and the key that it is sent under. */
interface Way {
  readonly keyId: string;
  readonly permit: Permit;
}

/** Why a job may not be sent yet: under each of its keys one is on its way that looks the same. */
interface Twins {
  /** Resolves when that may be over. */
  readonly changed: Promise<void>;
}

/** Others have the slot that a job gave back while it waited for its rate: it waits for another. */
class SlotTaken extends Error {
  override readonly name = "SlotTaken";
}

/** What becomes of a job that was not accepted. */
interface Settlement {
  readonly job: Job;
  readonly event: Transition;
}

/** What a submitter works with. */
export interface SubmitterParts {
  readonly ledger: Ledger;
  /** This process's right to send. */
  readonly runners: Pick<Runners, "renew"> & { readonly lease: Pick<Lease, "isHeld"> };
  readonly accounts: Accounts;
  readonly slots: Slots;
  readonly keys: Pick<KeyChoice, "keysFor" | "lineFor" | "inOrder" | "goesBack" | "forget">;
  readonly experience: Experience;
  readonly log: Logger;
  /** Sees to what keeps jobs waiting although nobody works on it: what processes that are gone left at the service. */
  readonly takeLeft: () => Promise<void>;
  /** Why whoever asked for a job is kept out by now, or their group; undefined where they are not. */
  readonly refusalOf: (job: Job) => Promise<"blocked" | "blocked_here" | undefined>;
  /** Opens a file that a person gave for a job. */
  readonly openMedia: (ref: MediaRef, job: Job) => Promise<Readable>;
  /** Where prepared files are kept while they are being sent. */
  readonly scratch: string;
}

/**
 * Takes queued jobs to the service: one at a time for each person and window up to the moment the POST leaves, so that
 * everyone gets a turn. The intent is on disk before the POST; a POST is never repeated, only a job that the
 * service certainly did not accept goes back in the queue. Where this process stood still for so long that others may
 * have taken its jobs over, nothing leaves any more, and an intent is no excuse.
 */
export class Submitter {
  readonly #parts: SubmitterParts;
  readonly #stop = new AbortController();
  /** Ends submissions whose answers a stop waited for in vain. */
  readonly #cut = new AbortController();
  readonly #busy = new Map<string, Promise<void>>();
  /** Lanes in which a job came while theirs were being launched. */
  readonly #again = new Set<string>();
  readonly #posting = new Set<Promise<void>>();
  /** One job of a person at a time waits for a slot, whatever rate it counts in: slots are shared by all of them. */
  readonly #personLine = new Line();
  /** Jobs for the same keys wait for their slots in the order in which they came. */
  readonly #slotLine = new Line();
  /** Jobs that found no slot when their rate had room, by their ids: others had the one that they gave back. */
  readonly #passed = new Set<string>();
  /** Those who wait until a job of theirs makes room for another, by the keys that it may be of. */
  readonly #waiting = new Map<Sleeper, readonly string[]>();
  #unsubscribe = () => {};

  constructor(parts: SubmitterParts) {
    this.#parts = parts;
  }

  /** Takes up every queued job, and from then on each one that comes. */
  async start(): Promise<void> {
    const { ledger, slots } = this.#parts;
    this.#unsubscribe = ledger.onChange((change) => {
      const { job, before } = change;
      if (job.state === "queued") this.#pump(laneOf(job));
      if (makesRoom(change)) this.#wake(job.keyId);
      if (before && isOpen(before.state) && !isOpen(job.state)) slots.ended(job.keyId);
      if (job.state !== "queued") this.#passed.delete(job.id);
      if (!isOpen(job.state)) this.#parts.keys.forget(job);
    });
    for (const job of await ledger.inState("queued")) this.#pump(laneOf(job));
  }

  /**
   * Lets no further job leave and waits for the answers of those that have: for a while, since the service may be silent. What is not
   * answered by then is in doubt, as after any lost answer, and settled by looking.
   */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    for (const sleeper of this.#waiting.keys()) sleeper.wake();
    await Promise.allSettled(this.#busy.values());
    const settled = Promise.allSettled(this.#posting);
    if (!(await atMost(ANSWER_MS, settled))) this.#cut.abort();
    await settled;
  }

  #pump(lane: Lane): void {
    const name = `${lane.group} ${lane.user}`;
    if (this.#busy.has(name)) {
      // The one at work may have looked for the last time before this job was written.
      this.#again.add(name);
      return;
    }
    const busy = this.#launchAll(lane)
      .catch(async (error: unknown) => {
        if (this.#stop.signal.aborted) return;
        this.#parts.log.error({ err: error }, "Submitting stopped unexpectedly");
        // Such as a database that was away: what is queued stays so until somebody looks.
        await sleep(LOOK_EVERY_MS, this.#stop.signal).catch(() => undefined);
        this.#again.add(name);
      })
      .finally(() => {
        this.#busy.delete(name);
        if (this.#again.delete(name)) this.#pump(lane);
      });
    this.#busy.set(name, busy);
  }

  async #launchAll(lane: Lane): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const next = await this.#parts.ledger.nextQueued(lane);
      if (!next) return;
      const early = next.notBefore - currentTime();
      if (early <= 0) await this.#launch(next);
      // In short steps: a job that may leave at once can come meanwhile.
      else await sleep(Math.min(early, LOOK_EVERY_MS), this.#stop.signal);
    }
  }

  /** Resolves as soon as the POST has left, or will not leave; its answer is waited for beside the next job. */
  async #launch(job: Job): Promise<void> {
    const way = await this.#wayFor(job);
    if (!way) return this.#await(job);
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const posting = this.#post(job, way, leave)
      .catch(async (error: unknown) => {
        // The ledger could not be written, or read. What it holds is settled by looking, after a restart at the latest.
        this.#parts.log.error({ err: error, job: job.id }, "The outcome of a submission could not be kept");
        // It may still be queued, as one that may leave at once.
        await sleep(LOOK_EVERY_MS, this.#stop.signal).catch(() => undefined);
      })
      .finally(() => {
        this.#posting.delete(posting);
        leave();
      });
    this.#posting.add(posting);
    await left;
  }

  /** Waits until a job may be sent under one of its keys; undefined: none may take it any more. */
  async #wayFor(job: Job): Promise<Way | undefined> {
    const { keys } = this.#parts;
    for (;;) {
      const line = await keys.lineFor(job);
      const way = await this.#personLine.run(job.user, () =>
        this.#slotLine.run(line, () => this.#slotFor(job)),
      );
      if (way === undefined || "permit" in way) return way;
      // Not in the line for the keys, where it would keep other people waiting.
      await way.changed;
    }
  }

  /** Waits until one of the keys that may take a job has a free slot at the service; undefined: none may any more. */
  async #slotFor(job: Job): Promise<Way | Twins | undefined> {
    const { keys, ledger, slots } = this.#parts;
    for (;;) {
      this.#stop.signal.throwIfAborted();
      const may = await keys.keysFor(job);
      if (may.length === 0) return undefined;
      // What comes while it is looked counts.
      const sleeper = new Sleeper();
      this.#waiting.set(sleeper, may);
      let twins = 0;
      try {
        for (const keyId of await keys.inOrder(job, may)) {
          const { hasTwin, ...held } = await ledger.roomFor(job, keyId);
          // Where another one leaves from now on, the ledger refuses the intent.
          const permit = hasTwin ? undefined : slots.tryEnter(keyId, held);
          if (permit) return { keyId, permit };
          twins += Number(hasTwin);
        }
      } finally {
        this.#waiting.delete(sleeper);
      }
      const changed = this.#change(sleeper, may);
      if (twins === may.length) return { changed };
      await changed;
    }
  }

  /** None of the operator's keys takes it now: it waits, and its person is told so. */
  async #await(job: Job): Promise<void> {
    const until = currentTime() + pauseAfter(job.attempts);
    await this.#parts.ledger
      .apply(job, { type: "postponed", until, awaits: "operator" })
      .catch((error: unknown) => {
        // Its person has taken it back meanwhile, or another process took it over.
        if (!(error instanceof IllegalTransition)) throw error;
      });
  }

  /**
   * Resolves when somebody who waits is woken, on a stop, or after a while: a job of another process may have made room.
   */
  async #change(sleeper: Sleeper, keys: readonly string[]): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#waiting.set(sleeper, keys);
    await sleeper.sleep(LOOK_EVERY_MS);
    this.#waiting.delete(sleeper);
    await this.#parts.takeLeft();
  }

  /** Has those look again who wait until a job may be sent under a key. */
  #wake(keyId: string): void {
    for (const [sleeper, keys] of this.#waiting) if (keys.includes(keyId)) sleeper.wake();
  }

  async #post(queued: Job, { keyId, permit }: Way, leave: () => void): Promise<void> {
    const { ledger, accounts, experience, log, runners } = this.#parts;
    const operation = operationOf(queued.operation);
    let job = queued;
    await using files = new OrderFiles();
    try {
      const refusal = await this.#parts.refusalOf(job);
      if (refusal) throw new ReelayError(refusal);
      const account = await accounts.of({ ...job, keyId });
      // Should the answer be lost, they tell whether it was charged.
      const numbers = account.numbers().catch(() => null);
      await files.prepare(fieldsOf(operation.schema), job.values, {
        openMedia: (ref) => this.#parts.openMedia(ref, queued),
        dir: this.#parts.scratch,
      });
      await atMost(NUMBERS_PATIENCE_MS, numbers);
      // It is no age of what the ledger says: the clock may be set back while the request leaves.
      let released = instant();
      const api = account.api({
        signal: this.#stop.signal,
        cut: this.#cut.signal,
        onWait: () => {
          permit.giveBack(this.#passed.has(queued.id));
          this.#wake(keyId);
        },
        beforeSend: async () => {
          if (!(await permit.takeAgain(() => ledger.roomFor(queued, keyId)))) throw new SlotTaken();
          const balance = account.knownBalance();
          const before = account.knownNumbers();
          // It may only be late itself. What was taken over meanwhile the ledger refuses.
          if (!runners.lease.isHeld()) await runners.renew();
          released = instant();
          job = await ledger.apply(job, { type: "submitting", keyId, at: currentTime(), balance, before });
          trace("post", job);
          leave();
        },
        checkpoint: async (before) => {
          // What whoever takes the job over relies on: see `RELEASE_MS`.
          if (before === "last" && ageOf(released) >= RELEASE_MS / 2) {
            released = instant();
            job = await ledger.apply(job, { type: "releasing", at: currentTime() });
            if (ageOf(released) >= RELEASE_MS) throw new LeaseLapsed();
          }
          if (!runners.lease.isHeld()) throw new LeaseLapsed();
        },
      });
      const { values, tags } = job;
      const { images, sounds } = files;
      const order = { values, images, sounds, tags };
      const { id, cost, remaining } = await operation.submit(api, order);
      trace("posted", job);
      // Not every answer says what is left (section 2.3).
      const balance =
        remaining ?? (job.balance === null || cost === null ? null : decimal(job.balance - cost));
      if (balance !== null) account.noteBalance(balance, job.submittedAt ?? undefined);
      job = await ledger.settle(job, { type: "accepted", at: currentTime(), serviceId: id, cost, balance });
      permit.accepted();
      if (cost !== null) await experience.charged(operation.id, operation.size(job.values), cost);
    } catch (error) {
      if (error instanceof NoFreeSlot) permit.refused();
      else permit.abandoned();
      if (error instanceof SlotTaken) return void this.#passed.add(queued.id);
      const outcome = await ledger.keep(() => this.#notAccepted(job, keyId, error));
      if (outcome) await ledger.settle(outcome.job, outcome.event);
      // Its person took it back meanwhile, or another one took it over: nothing was asked that could be refused.
      else if (error instanceof IllegalTransition) return;
      const { code } = asReelayError(error);
      log.info({ job: job.id, code, ...unfetched(error) }, "A submission was not accepted");
    }
  }

  /**
   * Decides from the error alone what becomes of the job; whatever is not certain is settled by looking.
   * @returns undefined where it stays as it is
   */
  async #notAccepted(job: Job, keyId: string, error: unknown): Promise<Settlement | undefined> {
    const current = await this.#parts.ledger.find(job.id);
    // Taken over meanwhile: it is for whoever did that to find out.
    if (current?.fence !== job.fence) return undefined;
    // Its intent may be there although the disk said that it is not: nothing leaves then.
    const unsent = job.state === "queued";
    if (current.state !== "queued" && current.state !== "submitting") return undefined;
    // It leaves later when a twin was faster or we are stopping.
    if (unsent && (error instanceof IllegalTransition || this.#stop.signal.aborted)) return undefined;
    return { job: current, event: await this.#eventOf(current, keyId, error, unsent) };
  }

  async #eventOf(job: Job, keyId: string, error: unknown, unsent: boolean): Promise<Transition> {
    if (error instanceof NoFreeSlot || error instanceof RateLimited || error instanceof LeaseLapsed)
      return { type: "postponed", until: 0 };
    if (error instanceof Network || (unsent && isStorageDown(error)))
      return { type: "postponed", until: currentTime() + pauseAfter(job.attempts) };
    if (!unsent && (error instanceof Unsure || isStorageDown(error) || !(error instanceof ReelayError)))
      return { type: "lost", at: currentTime() };
    if (await this.#parts.keys.goesBack(job, keyId, error)) return { type: "postponed", until: 0 };
    const { code, params } = await explained(this.#parts, job, asReelayError(error));
    return { type: "failed", at: currentTime(), error: { code, params }, cost: 0 };
  }
}

/** Whether a job that changed may have been what kept another one waiting: its answer is there, or its slot is free. */
function makesRoom({ job: { state }, before }: JobChange): boolean {
  if (before === undefined || state === "submitting") return false;
  // Put off while it was queued, it gave up a slot that it had taken already.
  return state !== before.state || state === "queued";
}

function pauseAfter(attempts: number): number {
  const pause = Math.min(UNREACHABLE_MS.first * 2 ** attempts, UNREACHABLE_MS.longest);
  // The ledger keeps whole milliseconds.
  return Math.round(pause * (0.5 + Math.random() / 2));
}
