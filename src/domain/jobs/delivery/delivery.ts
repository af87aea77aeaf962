import type { Accounts } from "../../accounts/accounts.ts";
import { isKeyGone } from "../../accounts/refused.ts";
import { TakesNoForm } from "../../../seam/surface/takes-no-form.ts";
import type { WriteTold } from "../../../seam/surface/surface.ts";
import type { Surfaces } from "../../../seam/surface/surfaces.ts";
import type { Receipt, UserId } from "../../../seam/values.ts";
import type { View } from "../../../seam/views.ts";
import { asReelayError } from "../../../common/errors.ts";
import { ByteLimiter } from "../../../infrastructure/queue/byte-limiter.ts";
import { takeFiles, type TakenFiles } from "../../../infrastructure/media/files/taken.ts";
import { operationOf } from "../../operations/registry.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import { isStorageDown } from "../../../infrastructure/storage/keeper.ts";
import { Sleeper } from "../../../common/sleeper.ts";
import { currentTime, sleep } from "../../../common/time.ts";
import { unfetched } from "../../../common/unfetched.ts";
import { IllegalTransition, type Job, type Transition } from "../job.ts";
import { needsKeyView, problemView, resultView, summaryOf } from "../job-view.ts";
import type { Ledger } from "../ledger.ts";
import { withheldView } from "../job-view.ts";
import type { Copies } from "./copies.ts";
import type { Progress } from "./progress.ts";
import { awaitedAfter, givenUp, readAgain } from "./result-wait.ts";
import { mediaOf } from "./result-media.ts";
import type { Experience } from "../experience/experience.ts";
import { priceOf } from "../quote.ts";
import { trace } from "../trace.ts";
import { pauseAfter, type Pauses } from "../waits.ts";

/** What people may see of a finished job. */
export type Release =
  /** Its result, covered until somebody wants to see it or not. */
  { readonly kind: "deliver"; readonly spoiler: boolean } | { readonly kind: "withheld" };

/** Deliveries under way at once: each keeps its files on our disk. A person's must leave others a turn, whatever hangs. */
const MOST_UNDER_WAY = { all: 60, ofPerson: 24 };

/** What may be posted at once, in bytes: platforms' libraries hold what they upload. */
const MOST_POSTED = { all: 192 * 2 ** 20, each: 96 * 2 ** 20 };

/** The first pause after a failed delivery; doubles up to the longest, in milliseconds. */
const PAUSE_MS: Pauses = { first: 2_000, longest: 10 * 60_000 };

/** Another process may have cancelled a job that this one tells of, in milliseconds. */
const LOOK_EVERY_MS = 5_000;

/** After this many failures, about a day of them, the result waits in the person's list of jobs instead. */
const MAX_ATTEMPTS = 150;

/** What an outbox works with. */
export interface OutboxParts {
  readonly ledger: Ledger;
  readonly accounts: Accounts;
  readonly surfaces: Surfaces;
  readonly progress: Progress;
  /** Where results are shown a second time. */
  readonly copies: Pick<Copies, "replace">;
  /** Knows what it costs to make the same again. */
  readonly experience: Pick<Experience, "price">;
  /** Whether a result may be shown, and how; see `Gate.release`. */
  readonly release: (job: Job) => Promise<Release>;
  /** Looks at what was made before it is shown; see `Results.look`. */
  readonly look: (job: Job, files: TakenFiles, signal: AbortSignal) => Promise<void>;
  /** A folder for files that are being delivered. */
  readonly scratch: string;
  readonly log: Logger;
  /** Milliseconds since 1970; the clock unless given. */
  readonly now?: () => number;
}

/** What telling of a job makes of it. */
interface Telling {
  /** With where its files were found. */
  readonly job: Job;
  readonly end: Transition;
}

/** How a job ended, as it was told. */
interface Told extends Telling {
  readonly receipt: Receipt;
  /** What was fetched for it, to be erased. */
  readonly files?: TakenFiles;
}

/** Tells people how their jobs ended, until the platform has taken it. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #now: () => number;
  readonly #stop = new AbortController();
  readonly #posts = new ByteLimiter(MOST_POSTED);
  readonly #delivering = new Map<string, { readonly user: UserId; readonly end: Promise<void> }>();
  /** Outcomes that may be told since this process wrote so. */
  readonly #fresh: Job[] = [];
  /** Whether some may be told that are not among those. */
  #behind = true;
  /** When the ledger is looked at again, in milliseconds of the monotonic clock. */
  #lookAt = Number.NEGATIVE_INFINITY;
  readonly #sleeper = new Sleeper();
  #loop = Promise.resolve();
  #unsubscribe = () => {};

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#now = parts.now ?? currentTime;
  }

  /** Takes up every outcome that is still to be told, and from then on each one that comes. */
  start(): void {
    this.#unsubscribe = this.#parts.ledger.onChange(({ job, before, isOthers = false }) => {
      // What is told in the database is being told from its end on.
      const isNew = job.delivery === "due" || (job.delivery === "delivering" && before?.delivery === "none");
      if (!isNew || isOthers) return;
      if (job.notBefore <= this.#now()) this.#fresh.push(job);
      else this.#behind = true;
      this.#sleeper.wake();
    });
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    this.#sleeper.wake();
    await this.#loop;
    await Promise.allSettled(Array.from(this.#delivering.values(), ({ end }) => end));
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const pause = await this.#round().catch((error: unknown) => {
        this.#parts.log.error({ err: error }, "The outbox could not read the ledger; trying again");
        return LOOK_EVERY_MS;
      });
      await this.#sleeper.sleep(pause);
    }
  }

  /** Begins what is due, as far as there is room. Returns when to look again, in milliseconds. */
  async #round(): Promise<number> {
    const now = this.#now();
    for (const job of this.#fresh.splice(0)) {
      // It is in the ledger, too.
      if (!this.#behind && this.#mayBegin(job)) this.#begin(job);
      else this.#behind = true;
    }
    if (this.#behind || performance.now() >= this.#lookAt) await this.#look(now);
    return this.#lookAt - performance.now();
  }

  /** Begins what the ledger says is due. */
  async #look(now: number): Promise<void> {
    const { ledger } = this.#parts;
    this.#behind = false;
    for (let room = this.#room; room > 0; room = this.#room) {
      const due = await ledger.undelivered(now, room, {
        jobs: [...this.#delivering.keys()],
        users: this.#withoutRoom(),
      });
      for (const job of due) if (this.#mayBegin(job)) this.#begin(job);
      if (due.length < room) break;
    }
    // Whoever leaves makes room, and wakes.
    this.#behind ||= this.#room === 0 || this.#withoutRoom().length > 0;
    const next = (await ledger.nextDelivery(now)) ?? Infinity;
    this.#lookAt = performance.now() + Math.min(next - now, LOOK_EVERY_MS);
  }

  #begin(job: Job): void {
    const delivering = this.#deliver(job)
      .catch(async (error: unknown) => {
        // What is to be told of it changed meanwhile: it is due again.
        this.#behind = true;
        if (error instanceof IllegalTransition) return;
        this.#parts.log.error({ err: error, job: job.id }, "Delivering stopped unexpectedly; trying again");
        await sleep(LOOK_EVERY_MS, this.#stop.signal).catch(() => undefined);
      })
      .finally(() => {
        this.#delivering.delete(job.id);
        this.#sleeper.wake();
      });
    this.#delivering.set(job.id, { user: job.user, end: delivering });
  }

  #mayBegin({ id, user }: Job): boolean {
    return this.#room > 0 && !this.#delivering.has(id) && this.#underWay(user) < MOST_UNDER_WAY.ofPerson;
  }

  get #room(): number {
    return MOST_UNDER_WAY.all - this.#delivering.size;
  }

  /** How many deliveries of a person are under way. */
  #underWay(user: UserId): number {
    return Array.from(this.#delivering.values()).filter((one) => one.user === user).length;
  }

  /** Whose deliveries under way are as many as one person's may be. */
  #withoutRoom(): UserId[] {
    const users = new Set(Array.from(this.#delivering.values(), ({ user }) => user));
    return [...users].filter((user) => this.#underWay(user) >= MOST_UNDER_WAY.ofPerson);
  }

  async #deliver(due: Job): Promise<void> {
    const { copies, ledger, surfaces, progress, log } = this.#parts;
    await progress.finish(due.id);
    const isBegun = due.delivery === "delivering" && surfaces.tellsInDatabase(due.surface);
    const job = isBegun ? due : await ledger.settle(due, { type: "delivering" });
    let told: Told | undefined;
    /** What the surface wrote itself, in the transaction in which it told it, and what tells others of that. */
    let written: (Telling & { readonly hear: () => void }) | undefined;
    try {
      const surface = surfaces.of(job.surface);
      const post = async (view: View, telling: Telling) => {
        written = undefined;
        const kept = await ledger.stillOurs(job);
        if (!kept) throw new IllegalTransition("somebody else tells of the job by now");
        // What is withheld is withheld wherever it is.
        if (view.kind === "notice") await copies.replace(job.id, view, "owner");
        const write: WriteTold = async (at, within) => {
          const hear = await ledger.applyWithin(within, telling.job, telling.end, at);
          written = { ...telling, hear };
        };
        return kept.receipt
          ? surface.revise(kept.receipt, view, write)
          : surface.deliver(job.address, view, write);
      };
      trace("deliver", job);
      told = await this.#tell(job, post);
      trace("delivered", told.job);
      if (written) written.hear();
      else await this.#end(told);
    } catch (error) {
      if (error instanceof IllegalTransition) throw error;
      if (written && isStorageDown(error) && (await ledger.isThere(written.job, written.end))) return;
      // A platform that is stopped first gives its downloads up; the next start delivers.
      const stopping = this.#stop.signal.aborted || (error instanceof Error && error.name === "AbortError");
      // Where nothing can be written, nothing is to be tried again.
      await ledger.settle(job, await this.#afterFailure(job, error, stopping));
      if (!stopping) log.warn({ ...whyOf(error), job: job.id }, "A delivery failed");
    } finally {
      // Once it is written that it is delivered: whoever was told may do the next thing at once.
      await told?.files?.[Symbol.asyncDispose]();
    }
  }

  /** Writes that a job was told of, and where; that it is to be told anew takes nothing from the latter. */
  async #end({ job, end, receipt }: Told): Promise<void> {
    const { ledger } = this.#parts;
    await ledger.settle(job, end, receipt).catch(async (error: unknown) => {
      if (error instanceof IllegalTransition) await ledger.keep(() => ledger.keepReceipt(job, receipt));
      throw error;
    });
  }

  /** Posts how a job ended; for a file that never came, that. */
  async #tell(job: Job, post: (view: View, telling: Telling) => Promise<Receipt>): Promise<Told> {
    const at = this.#now();
    const end = { type: "delivered", at } as const;
    const view = await this.#withoutResult(job);
    if (view) return { job, receipt: await post(view, { job, end }), end };
    try {
      const made = await readAgain(job, this.#parts.accounts);
      const { accounts, look, scratch: dir } = this.#parts;
      const { signal } = this.#stop;
      const files = await takeFiles(mediaOf(made, accounts), { dir, signal });
      trace("fetched", made);
      try {
        await look(made, files, signal);
        const receipt = await this.#posts.run(job.user, files.bytes, async () => {
          signal.throwIfAborted();
          return post(await this.#resultView(made, files), { job: made, end });
        });
        return { job: made, receipt, end, files };
      } catch (error) {
        await files[Symbol.asyncDispose]();
        throw error;
      }
    } catch (error) {
      const shownAt = this.#shownAt(job, error);
      if (shownAt) return { job, ...(await this.#askForKey(job, shownAt)) };
      const code = givenUp(job, error, at);
      if (!code) throw error;
      const why = { code, params: {} };
      const never = { type: "undeliverable", told: { error: why, at } } as const;
      const receipt = await post(problemView(job, why, this.#price(job)), { job, end: never });
      return { job, receipt, end: never };
    }
  }

  /**
   * Where a result is shown that somebody asked to see again, while no key reads it any more: it is there, and waits for nothing.
   * Programs ask for nothing to be shown.
   */
  #shownAt({ surface, awaits, deliveredAt, receipt }: Job, failure: unknown) {
    // Other keys of its account were tried, too.
    const isUnread = awaits === "key" && awaitedAfter(failure) === "key";
    if (!isUnread || deliveredAt === null || receipt === null) return undefined;
    return this.#parts.surfaces.tellsInDatabase(surface) ? undefined : { at: deliveredAt, receipt };
  }

  async #askForKey(job: Job, { at, receipt }: { readonly at: number; readonly receipt: Receipt }) {
    await this.#parts.surfaces.of(job.surface).deliver(job.address, needsKeyView(job));
    return { receipt, end: { type: "delivered", at } as const };
  }

  /** What is said of a job that has no result to show; undefined for one that has. */
  async #withoutResult(job: Job): Promise<View | undefined> {
    if (job.state === "cancelled")
      return { kind: "notice", text: { key: "job.cancelled" }, job: summaryOf(job) };
    if (job.state === "failed")
      return problemView(job, job.error ?? { code: "internal", params: {} }, this.#price(job));
    return (await this.#isWithheld(job)) ? withheldView(job) : undefined;
  }

  async #resultView(job: Job, { media }: TakenFiles): Promise<View> {
    const release = await this.#parts.release(job);
    if (release.kind === "withheld") return withheldView(job);
    const tellsBalance = await this.#tellsBalance(job);
    return resultView(job, media, { tellsBalance, spoiler: release.spoiler, price: this.#price(job) });
  }

  /** Tokens that it costs to ask for the same again; null where it is not known. */
  #price({ operation, values }: Job): number | null {
    return priceOf(this.#parts.experience, operationOf(operation), values);
  }

  /** What becomes of a delivery that failed: for want of its file, of its key, or on its platform. */
  async #afterFailure(job: Job, failure: unknown, stopping: boolean): Promise<Transition> {
    const { code } = asReelayError(failure);
    // Their person was told.
    if (failure instanceof TakesNoForm)
      return { type: "undeliverable", told: { error: { code, params: {} }, at: this.#now() } };
    // That is no stop's doing: whoever looks next need not find out once more.
    if (code === "undeliverable") return { type: "undeliverable" };
    const until = this.#now() + pauseAfter(job.attempts, PAUSE_MS);
    if (stopping) return { type: "deferred", until, awaits: job.awaits ?? undefined };
    const awaits = awaitedAfter(failure);
    if (awaits) return { type: "deferred", until, awaits };
    const hopeless = job.attempts >= MAX_ATTEMPTS && !(await this.#isWithheld(job));
    return hopeless ? { type: "undeliverable" } : { type: "deferred", until };
  }

  /** What is to be taken down is tried without an end. */
  async #isWithheld(job: Job): Promise<boolean> {
    return (await this.#parts.release(job)).kind === "withheld";
  }

  /** Where the key is gone, nobody can tell any more whose it was. */
  async #tellsBalance(job: Job): Promise<boolean> {
    const account = await this.#parts.accounts.of(job).catch((error: unknown) => {
      if (!isKeyGone(error)) throw error;
      return undefined;
    });
    return account?.tellsBalance ?? false;
  }
}

/** What the log says of a failed try: of what is to be expected no more than what it is, since it comes again with each try. */
function whyOf(error: unknown): object {
  const { code } = asReelayError(error);
  // What the platform says is not in the code.
  return code === "internal" || code === "not_posted" ? { err: error } : { code, ...unfetched(error) };
}
