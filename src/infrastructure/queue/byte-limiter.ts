import Bottleneck from "bottleneck";

/** How much may be held at once, in bytes. */
export interface ByteLimits {
  readonly all: number;
  /** By one holder, at most {@link all}: others always find some room beside it. */
  readonly each: number;
}

/**
 * Runs tasks side by side as far as what they hold fits, in the order in which they came: none is overtaken for ever. A
 * task asks once, with all that it will hold, so that none waits for more while it keeps others waiting.
 */
export class ByteLimiter {
  readonly #each: number;
  /** Forgets who held nothing for five minutes; a task that takes longer is still counted among all. */
  readonly #holders: Bottleneck.Group;

  constructor({ all, each }: ByteLimits) {
    this.#each = each;
    const limiter = new Bottleneck({ maxConcurrent: all });
    this.#holders = new Bottleneck.Group({ maxConcurrent: each });
    this.#holders.on("created", (holder: Bottleneck) => holder.chain(limiter));
  }

  /**
   * Runs a task when what it holds fits.
   * @param bytes more than a holder may have counts as that: it is the only one of its holder then
   */
  run<T>(holder: string, bytes: number, task: () => Promise<T>): Promise<T> {
    return this.#holders.key(holder).schedule({ weight: Math.min(bytes, this.#each) }, task);
  }
}
