import { decimal } from "../../../seam/amounts.ts";
import { CONNECT_KEY } from "../../../seam/text/actions.ts";
import type { SharedMemory } from "../../../common/memory.ts";
import type { Surfaces } from "../../../seam/surface/surfaces.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import type { Job } from "../job.ts";
import type { Ledger } from "../ledger.ts";
import { Line } from "../../../common/line.ts";

/** What its tellers work with. */
export interface KeyNoticesParts {
  readonly ledger: Ledger;
  readonly surfaces: Surfaces;
  /** Whether the operator pays for a job: then it is for them to mend, and they are alerted. */
  readonly isOperators: (job: Job) => Promise<boolean>;
  /** Who was told, over restarts and for every process. */
  readonly told: SharedMemory;
  readonly log: Logger;
}

/** After so many refusals in a row it is none that passes. */
const CERTAIN = 2;

/** Whoever was told is not told again of the same key for this long, in milliseconds. */
const TOLD_MS = 24 * 3_600_000;

/** Tells people once that the key is refused which their jobs are read with: where they are, and how they go on. */
export class KeyNotices {
  readonly #parts: KeyNoticesParts;
  readonly #line = new Line();
  #unsubscribe = () => {};

  constructor(parts: KeyNoticesParts) {
    this.#parts = parts;
  }

  start(): void {
    const { ledger, log } = this.#parts;
    this.#unsubscribe = ledger.onChange(({ job, before, isOthers = false }) => {
      if (isOthers || job.awaits !== "key" || job.attempts < CERTAIN || job.attempts === before?.attempts)
        return;
      this.#line
        .run(job.user, () => this.#tell(job))
        .catch((err: unknown) =>
          log.warn({ err, job: job.id }, "A refused key could not be told of; trying again"),
        );
    });
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#line.idle();
  }

  async #tell(job: Job): Promise<void> {
    const { isOperators, ledger, surfaces, told } = this.#parts;
    const { user, keyId, surface, address } = job;
    const entry = `${user} ${keyId}`;
    if ((await told.get(entry)) || (await isOperators(job))) return;
    const waiting = await ledger.waitingForKey({ user });
    const charged = waiting.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
    await surfaces.of(surface).deliver(address, {
      kind: "problem",
      problem: { code: "key_refused", params: { count: waiting.length } },
      charged: decimal(charged),
      actions: [CONNECT_KEY],
    });
    await told.keep(() => told.set(entry, true, TOLD_MS));
  }
}
