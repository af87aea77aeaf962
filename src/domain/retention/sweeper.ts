import type { AuditedInputs } from "../audit/inputs.ts";
import type { Surfaces } from "../../seam/surface/surfaces.ts";
import type { Links } from "../../infrastructure/media/files/links.ts";
import type { Reports } from "../reports/reports.ts";
import type { Retention } from "./plan.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { currentTime, sleep } from "../../common/time.ts";
import type { EraseBatch } from "./old-rows.ts";
import type { TakeBacks } from "../jobs/delivery/take-backs.ts";
import type { Traces } from "./traces.ts";

/** How often what was kept long enough is looked for, in milliseconds. */
const SWEEP_EVERY_MS = 3_600_000;

/** Between two batches everybody else gets their turn, in this process and in others, in milliseconds. */
const PAUSE_MS = 5;

/** What a sweeper works with. */
export interface SweeperParts {
  readonly database: Database;
  readonly surfaces: Surfaces;
  readonly links: Pick<Links, "sweep">;
  readonly takeBacks: Pick<TakeBacks, "retry">;
  readonly reports: Pick<Reports, "expire">;
  readonly inputs: Pick<AuditedInputs, "sweep">;
  /** Counts in budgets what jobs cost that an earlier version wrote, before they are erased. @param now milliseconds since 1970 */
  readonly countEarlier: (now: number) => Promise<unknown>;
  readonly traces: Traces;
  readonly keepDays: Retention;
  readonly log: Logger;
  /** Milliseconds since 1970; by default the clock's. */
  readonly now?: () => number;
}

/**
 * Erases what has been kept long enough, at once and every hour. Each batch is a transaction of its own that looks anew:
 * killed half-way, or in several processes at once, it does no harm.
 */
export class Sweeper {
  readonly #parts: SweeperParts;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #sweeping = Promise.resolve();

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#begin();
    this.#timer = setInterval(() => this.#begin(), SWEEP_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#sweeping;
  }

  /**
   * Erases it now.
   * @returns how much there was of each kind; what there was none of is left out
   */
  async sweep(): Promise<Readonly<Record<string, number>>> {
    const { surfaces, links, reports, takeBacks, inputs, traces, log, keepDays } = this.#parts;
    const { countEarlier, now = currentTime } = this.#parts;
    const at = now();
    // Only a server sweeps.
    const [{ retentionPlan }, { oldRows }] = await Promise.all([
      import("./plan.ts"),
      import("./old-rows.ts"),
    ]);
    const plan = retentionPlan(keepDays, at);
    await countEarlier(at);
    const erased: Record<string, number> = {};
    for (const [kind, batch] of oldRows(plan, at)) {
      const count = await this.#eraseAll(batch);
      if (count > 0) erased[kind] = count;
    }
    if (plan.audit !== undefined) await reports.expire(plan.audit);
    if (plan.jobs !== undefined)
      for (const surface of surfaces.all)
        await surface.expire(plan.jobs).catch((err: unknown) => {
          // Its platform's trouble keeps nobody else's things.
          log.error({ err, surface: surface.name }, "What a platform has kept long enough stays for now");
        });
    await links.sweep();
    await takeBacks.retry();
    await inputs.sweep(plan.jobs);
    if ((await traces.compact(at)) === "too_large")
      log.warn("The database is too large to be written anew while people wait: stop Reelay and vacuum it");
    return erased;
  }

  #begin(): void {
    this.#sweeping = this.#sweeping.then(() => this.#sweepQuietly());
  }

  async #sweepQuietly(): Promise<void> {
    const { log } = this.#parts;
    try {
      const erased = await this.sweep();
      if (Object.keys(erased).length > 0) log.info(erased, "Erased what was kept long enough");
    } catch (err) {
      if (!this.#stop.signal.aborted)
        log.error({ err }, "What was kept long enough could not be erased; trying again in an hour");
    }
  }

  async #eraseAll(batch: EraseBatch): Promise<number> {
    for (let erased = 0; ;) {
      const count = await batch(this.#parts.database);
      if (count === 0) return erased;
      erased += count;
      await sleep(PAUSE_MS, this.#stop.signal);
    }
  }
}
