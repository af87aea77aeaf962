import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import type { Platform } from "../../../seam/values.ts";
import type { JobChange } from "../job.ts";
import { isGoingOn } from "../job-view.ts";
import type { Ledger } from "../ledger.ts";
import type { Runners } from "./runners.ts";

/** How often it looks within a lease. */
const LOOKS = 2;

/** What it works with. */
interface OwnJobsParts {
  readonly ledger: Pick<Ledger, "adopt" | "onChange">;
  readonly runners: Pick<Runners, "gone" | "lease">;
  readonly surfaces: readonly Platform[];
  /** Whether this process takes over whatever nobody works on. */
  readonly isAdopting: () => boolean;
  readonly log: Logger;
}

/**
 * Has a process that works on nothing but its own jobs go on with those that it lost: while it stood still, others may have seen to them
 * at the service, and left them to nobody, or died (see `Ledger.takeFromService`). Somebody waits for it to tell of them.
 */
export class OwnJobs {
  readonly #parts: OwnJobsParts;
  readonly #open = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe = () => {};

  constructor(parts: OwnJobsParts) {
    this.#parts = parts;
  }

  start(): void {
    const { ledger, runners } = this.#parts;
    this.#unsubscribe = ledger.onChange((change) => this.#note(change));
    this.#timer = setInterval(() => void this.#look(), runners.lease.ms / LOOKS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    clearInterval(this.#timer);
  }

  #note({ job, isOthers = false }: JobChange): void {
    if (isGoingOn(job) && !isOthers) this.#open.add(job.id);
    else this.#open.delete(job.id);
  }

  async #look(): Promise<void> {
    const { ledger, runners, surfaces, isAdopting, log } = this.#parts;
    if (this.#open.size === 0 || isAdopting()) return;
    try {
      await ledger.adopt(await runners.gone(), surfaces, [...this.#open]);
    } catch (err) {
      log.error({ err }, "Looking for jobs that others left failed");
    }
  }
}
