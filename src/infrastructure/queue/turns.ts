import Bottleneck from "bottleneck";

/** Runs so many tasks at once, in the order in which they came. */
export class Turns {
  readonly #limiter: Bottleneck;

  /** @param most how many, at least 1 */
  constructor(most: number) {
    this.#limiter = new Bottleneck({ maxConcurrent: most });
  }

  /** Runs a task when it is its turn. */
  run<T>(task: () => Promise<T>): Promise<T> {
    return this.#limiter.schedule(task);
  }
}
