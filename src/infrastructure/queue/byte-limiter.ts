import { Gates } from "./gates.ts";
import { Turns } from "./turns.ts";

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
  readonly #all: Turns;
  readonly #holders: Gates;

  constructor({ all, each }: ByteLimits) {
    this.#each = each;
    this.#all = new Turns(all);
    this.#holders = new Gates(each);
  }

  /**
   * Runs a task when what it holds fits.
   * @param bytes more than a holder may have counts as that: it is the only one of its holder then
   */
  run<T>(holder: string, bytes: number, task: () => Promise<T>): Promise<T> {
    const size = Math.min(bytes, this.#each);
    return this.#holders.pass(holder, () => this.#all.run(task, size), size);
  }
}
