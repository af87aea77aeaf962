import type { Accounts } from "../accounts/accounts.ts";
import { NotFound } from "../api/errors.ts";
import type { Surfaces } from "../chat/surfaces.ts";
import type { View } from "../chat/views.ts";
import { asReelayError } from "../errors.ts";
import type { Logger } from "../telemetry.ts";
import { sleep } from "../time.ts";
import { IllegalTransition, type Job } from "./job.ts";
import { problemView, resultView, summaryOf } from "./job-view.ts";
import type { Ledger } from "./ledger.ts";
import type { Release } from "../policy/gate.ts";
import { withheldView } from "../reports/report-view.ts";
import type { Progress } from "./progress.ts";
import { mediaOf } from "./result-media.ts";
import { trace } from "./trace.ts";

/** Deliveries under way at once: each may stream a large file. */
const MAX_DELIVERIES = 4;

/** The first pause after a failed delivery; doubles up to the longest, in milliseconds. */
const PAUSE_MS = { first: 2_000, longest: 10 * 60_000 } as const;

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
  /** Whether a result may be shown, and how; see `Gate.release`. */
  readonly release: (job: Job) => Promise<Release>;
  readonly log: Logger;
  /** How much later than the end of its job a file may come (section 2.4), in milliseconds. */
  readonly fileLateMs: number;
}

/** Tells people how their jobs ended, until the platform has taken it. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #stop = new AbortController();
  readonly #delivering = new Map<string, Promise<void>>();
  #wake = new AbortController();
  #loop = Promise.resolve();
  #unsubscribe = () => {};

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Takes up every outcome that is still to be told, and from then on each one that comes. */
  start(): void {
    this.#unsubscribe = this.#parts.ledger.onChange(({ job }) => {
      if (job.delivery === "due") this.#wake.abort();
    });
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    this.#wake.abort();
    await this.#loop;
    await Promise.allSettled(this.#delivering.values());
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      const pause = await this.#round().catch((error: unknown) => {
        this.#parts.log.error({ err: error }, "The outbox could not read the ledger; trying again");
        return LOOK_EVERY_MS;
      });
      await sleep(pause, this.#wake.signal).catch(() => undefined);
    }
  }

  /** Begins what is due, as far as there is room. Returns when to look again, in milliseconds. */
  async #round(): Promise<number> {
    // Whoever leaves makes room, and wakes.
    if (this.#delivering.size === MAX_DELIVERIES) return LOOK_EVERY_MS;
    const { ledger } = this.#parts;
    const now = Date.now();
    // Those that are being told are among them.
    const due = await ledger.undelivered(now, 2 * MAX_DELIVERIES);
    const ready = due.filter(({ id }) => !this.#delivering.has(id));
    for (const job of ready.slice(0, MAX_DELIVERIES - this.#delivering.size)) this.#begin(job);
    const next = (await ledger.nextDelivery(now)) ?? Number.POSITIVE_INFINITY;
    return Math.min(next - now, LOOK_EVERY_MS);
  }

  #begin(job: Job): void {
    const delivering = this.#deliver(job)
      .catch(async (error: unknown) => {
        // What is to be told of it changed meanwhile: it is due again.
        if (error instanceof IllegalTransition) return;
        this.#parts.log.error({ err: error, job: job.id }, "Delivering stopped unexpectedly; trying again");
        await sleep(LOOK_EVERY_MS, this.#stop.signal).catch(() => undefined);
      })
      .finally(() => {
        this.#delivering.delete(job.id);
        this.#wake.abort();
      });
    this.#delivering.set(job.id, delivering);
  }

  async #deliver(due: Job): Promise<void> {
    const { ledger, surfaces, progress, log } = this.#parts;
    await progress.finish(due.id);
    let job = await ledger.apply(due, { type: "delivering" });
    try {
      const surface = surfaces.of(job.surface);
      const receipt = (await ledger.find(job.id))?.receipt;
      const post = (view: View) =>
        receipt ? surface.revise(receipt, view) : surface.deliver(job.address, view);
      trace("deliver", job);
      await ledger.keepReceipt(job.id, await this.#post(job, post));
      trace("delivered", job);
      job = await ledger.apply(job, { type: "delivered", at: Date.now() });
    } catch (error) {
      if (error instanceof IllegalTransition) throw error;
      const { code } = asReelayError(error);
      const hopeless =
        code === "undeliverable" || (job.attempts >= MAX_ATTEMPTS && !(await this.#isWithheld(job)));
      const pause = Math.min(PAUSE_MS.first * 2 ** job.attempts, PAUSE_MS.longest);
      await ledger.apply(
        job,
        hopeless ? { type: "undeliverable" } : { type: "deferred", until: Date.now() + pause },
      );
      // A platform that is stopped first gives its downloads up; the next start delivers.
      const stopping = this.#stop.signal.aborted || (error instanceof Error && error.name === "AbortError");
      if (!stopping) log.warn({ err: error, job: job.id, hopeless }, "A delivery failed");
    }
  }

  async #post<T>(job: Job, post: (view: View) => Promise<T>): Promise<T> {
    if (job.state === "cancelled")
      return post({ kind: "notice", text: { key: "job.cancelled" }, job: summaryOf(job) });
    if (job.state === "failed") return post(problemView(job, job.error ?? { code: "internal", params: {} }));
    const release = await this.#parts.release(job);
    if (release.kind === "withheld") return post(withheldView(job));
    try {
      const tellsBalance = await this.#tellsBalance(job);
      const media = mediaOf(job, this.#parts.accounts);
      return await post(resultView(job, media, { tellsBalance, spoiler: release.spoiler }));
    } catch (error) {
      if (!(error instanceof NotFound) || Date.now() - (job.endedAt ?? 0) < this.#parts.fileLateMs)
        throw error;
      // Made and charged, but the service no longer has the file: trying again cannot help.
      return post(problemView(job, { code: "result_gone", params: {} }));
    }
  }

  /** What is to be taken down is tried without an end. */
  async #isWithheld(job: Job): Promise<boolean> {
    return (await this.#parts.release(job)).kind === "withheld";
  }

  /** Where the key is gone, nobody can tell any more whose it was. */
  async #tellsBalance(job: Job): Promise<boolean> {
    const account = await this.#parts.accounts.of(job).catch(() => undefined);
    return account?.tellsBalance ?? false;
  }
}
