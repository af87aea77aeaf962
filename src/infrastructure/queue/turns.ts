import Bottleneck from "bottleneck";

/**
 * Runs tasks side by side as far as there is room, in the order in which they came. No clock is asked: bottleneck notes by the
 * calendar when the next may begin, and would let nobody in for as long as the machine's clock was set back.
 */
export class Turns {
  readonly #room: number;
  #limiter: Bottleneck | undefined;

  /** @param room how much of it there is in all, at least 1 */
  constructor(room: number) {
    this.#room = room;
  }

  /**
   * Runs a task when it is its turn. Resolves or rejects as the task does.
   * @param size the room that it takes: at most all of it
   */
  run<T>(task: () => Promise<T>, size = 1): Promise<T> {
    // Whoever comes first begins at once: not before then does it note a time. After that each may have begun long ago.
    this.#limiter ??= new Bottleneck({ maxConcurrent: this.#room, minTime: Number.NEGATIVE_INFINITY });
    return this.#limiter.schedule({ weight: size }, task);
  }
}
