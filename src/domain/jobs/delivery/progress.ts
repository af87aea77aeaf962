import { isDeepStrictEqual } from "node:util";
import type { Surfaces } from "../../../seam/surface/surfaces.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import { Sleeper } from "../../../common/sleeper.ts";
import { ageOf, instant } from "../../../common/time.ts";
import type { Experience } from "../experience/experience.ts";
import { IllegalTransition, isOpen, type Job } from "../job.ts";
import { expectedEnd, isGoingOn, progressView } from "../job-view.ts";
import { type Ledger, OURS_MS } from "../ledger.ts";
import { Line } from "../../../common/line.ts";

/** A submission is on its way for a moment: within that, in milliseconds, nothing is told of it. */
const BRIEF_MS = 1_000;

/** What a teller works with. */
export interface ProgressParts {
  readonly ledger: Ledger;
  readonly surfaces: Surfaces;
  readonly experience: Experience;
  readonly log: Logger;
}

/**
 * Keeps each job's message up to date while it goes on. The newest state wins: what a platform is too slow
 * to show is never queued up. An edit that fails is no harm; the next one, or the result, replaces it.
 */
export class Progress {
  readonly #parts: ProgressParts;
  /** Jobs whose message is behind: each has one task in line that will show its newest state. */
  readonly #stale = new Map<string, Job>();
  readonly #pauses = new Map<string, Sleeper>();
  /** Jobs that are waited for because they are on their way. */
  readonly #brief = new Map<string, Sleeper>();
  readonly #line = new Line();
  #isStopped = false;
  #unsubscribe = () => {};

  constructor(parts: ProgressParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#unsubscribe = this.#parts.ledger.onChange(({ job, before, isShown = false, isOthers = false }) => {
      if (isOthers) return;
      if (isShown) return this.#leave(job);
      const isNew = job.state !== before?.state || job.awaits !== before.awaits;
      const moved = isNew || (job.progress !== before.progress && this.#canEdit(job));
      // A result that is there is what was waited for, and stays.
      const isWanted = isOpen(job.state) || (job.state === "completed" && isGoingOn(job));
      if (moved && isWanted) this.#show(job);
    });
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#isStopped = true;
    for (const sleeper of [...this.#pauses.values(), ...this.#brief.values()]) sleeper.wake();
    await this.#line.idle();
  }

  /** Drops what is still to be shown of a job and waits for an edit under way: its result comes next. */
  async finish(id: string): Promise<void> {
    this.#stale.delete(id);
    this.#pauses.get(id)?.wake();
    this.#brief.get(id)?.wake();
    await this.#line.run(id, async () => undefined);
  }

  /** Whether the place where a job is shown can be changed: where each word is a message, none is said of percents. */
  #canEdit({ surface }: Job): boolean {
    return this.#parts.surfaces.all.some(({ name, limits }) => name === surface && limits.edit === "yes");
  }

  /** What was shown just now stays for as long as what is shown here. */
  #leave({ id, surface }: Job): void {
    const { limits } = this.#parts.surfaces.of(surface);
    void this.#line.run(id, () => this.#wait(this.#pauses, id, limits.editIntervalMs)).catch(() => undefined);
  }

  #show(job: Job): void {
    const waiting = this.#stale.has(job.id);
    this.#stale.set(job.id, job);
    if (job.state !== "submitting") this.#brief.get(job.id)?.wake();
    if (!waiting) void this.#line.run(job.id, () => this.#catchUp(job.id)).catch(() => undefined);
  }

  async #catchUp(id: string): Promise<void> {
    if (this.#stale.get(id)?.state === "submitting") await this.#wait(this.#brief, id, BRIEF_MS);
    const newest = this.#stale.get(id);
    if (!newest || this.#isStopped) return;
    this.#stale.delete(id);
    const { ledger, surfaces, log } = this.#parts;
    try {
      const surface = surfaces.of(newest.surface);
      const view = progressView(newest, {
        ahead: newest.state === "queued" ? ((await ledger.ahead(newest.user, [newest])).get(id) ?? 0) : 0,
        expectedAt: expectedEnd(this.#parts.experience, newest),
      });
      const kept = await ledger.stillOurs(newest);
      // Whoever has taken it over shows it from now on.
      if (!kept) return;
      const posted = kept.receipt;
      const shownAt = instant();
      const receipt = posted
        ? await surface.revise(posted, view)
        : await surface.deliver(newest.address, view);
      if (ageOf(shownAt) >= OURS_MS) await this.#uncover(newest);
      if (!isDeepStrictEqual(receipt, posted)) await ledger.keep(() => ledger.keepReceipt(newest, receipt));
      // Whatever changes meanwhile is shown after it, once; a result does not wait it out.
      await this.#wait(this.#pauses, id, surface.limits.editIntervalMs);
    } catch (error) {
      if (error instanceof IllegalTransition) return;
      if (!this.#isStopped) log.warn({ err: error, job: id }, "Showing a job's progress failed");
    }
  }

  /** What was shown late may cover the end that another has told meanwhile: then that is told anew. */
  async #uncover(shown: Job): Promise<void> {
    const { ledger, surfaces } = this.#parts;
    if (await ledger.stillOurs(shown)) return;
    await ledger.retell(shown.id, surfaces.names, async (_, { state }) => ({ retell: !isOpen(state) }));
  }

  /** Waits, unless whoever wakes it has something better to show. */
  async #wait(waits: Map<string, Sleeper>, id: string, ms: number): Promise<void> {
    if (this.#isStopped) return;
    const sleeper = new Sleeper();
    waits.set(id, sleeper);
    await sleeper.sleep(ms);
    waits.delete(id);
  }
}
