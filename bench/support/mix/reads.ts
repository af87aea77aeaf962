import { RATE_LIMITS } from "../../../src/common/contract.ts";

/** Counts the reads of one address as the service does, strictly and in any window (section 8.1). */
export class MixReads {
  readonly #windowMs: number;
  readonly #pollMs: number;
  readonly #times: number[] = [];
  readonly #readAt = new Map<string, number>();
  /** Reads beyond the limit. */
  refused = 0;
  /** Jobs that were read twice within the least time between two reads. */
  tooSoon = 0;

  constructor(windowMs: number, pollMs: number) {
    this.#windowMs = windowMs;
    this.#pollMs = pollMs;
  }

  get count(): number {
    return this.#times.length;
  }

  /** Reads in the window that ends now. */
  recent(now: number): number {
    const first = this.#times.findLastIndex((at) => at <= now - this.#windowMs);
    return this.#times.length - first - 1;
  }

  /** One read of these jobs. */
  add(now: number, ids: readonly string[]): void {
    if (this.recent(now) >= RATE_LIMITS.status) this.refused += 1;
    this.#times.push(now);
    for (const id of ids) {
      if (now - (this.#readAt.get(id) ?? Number.NEGATIVE_INFINITY) < this.#pollMs) this.tooSoon += 1;
      this.#readAt.set(id, now);
    }
  }
}
