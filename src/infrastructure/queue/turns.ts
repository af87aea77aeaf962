/** Somebody who waits for room. */
interface Waiting {
  readonly size: number;
  readonly enter: () => void;
}

/** Runs tasks side by side as far as there is room, in the order in which they came. It asks no clock: that may be set. */
export class Turns {
  readonly #waiting: Waiting[] = [];
  #room: number;

  /** @param room how much of it there is in all, at least 1 */
  constructor(room: number) {
    this.#room = room;
  }

  /**
   * Runs a task when it is its turn. Resolves or rejects as the task does.
   * @param size the room that it takes: at most all of it
   */
  async run<T>(task: () => Promise<T>, size = 1): Promise<T> {
    const { promise: turn, resolve: enter } = Promise.withResolvers<void>();
    this.#waiting.push({ size, enter });
    this.#letIn();
    await turn;
    try {
      return await task();
    } finally {
      this.#room += size;
      this.#letIn();
    }
  }

  /** Nobody is overtaken: where the first one does not fit, all wait. */
  #letIn(): void {
    for (let [first] = this.#waiting; first && first.size <= this.#room; [first] = this.#waiting) {
      this.#waiting.shift();
      this.#room -= first.size;
      first.enter();
    }
  }
}
