import Bottleneck from "bottleneck";

/** A task that began at once, because there was room. */
interface Begun {
  readonly size: number;
  readonly end: Promise<unknown>;
  /** Whether the queue knows of the room that it takes. */
  isQueued: boolean;
}

/**
 * Runs tasks side by side as far as there is room, in the order in which they came. Bottleneck queues those that have to wait: most
 * gates have room for whoever comes, and its queue costs more than what many of them ask for. No clock is asked: bottleneck notes by
 * the calendar when the next may begin, and would let nobody in for as long as the machine's clock was set back.
 */
export class Turns {
  readonly #room: number;
  readonly #begun = new Set<Begun>();
  #free: number;
  /** Those in the queue: whoever waits, and whoever waited and runs now. */
  #queued = 0;
  #limiter: Bottleneck | undefined;

  /** @param room how much of it there is in all, at least 1 */
  constructor(room: number) {
    this.#room = room;
    this.#free = room;
  }

  /**
   * Runs a task when it is its turn. Resolves or rejects as the task does.
   * @param size the room that it takes: at most all of it
   */
  run<T>(task: () => Promise<T>, size = 1): Promise<T> {
    return this.#queued === 0 && size <= this.#free ? this.#begin(task, size) : this.#queue(task, size);
  }

  async #begin<T>(task: () => Promise<T>, size: number): Promise<T> {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const begun = { size, end, isQueued: false };
    this.#begun.add(begun);
    this.#free -= size;
    try {
      return await task();
    } finally {
      this.#begun.delete(begun);
      this.#free += size;
      resolve();
    }
  }

  async #queue<T>(task: () => Promise<T>, size: number): Promise<T> {
    // Whoever comes first begins at once: not before then does it note a time. After that each may have begun long ago.
    const limiter = (this.#limiter ??= new Bottleneck({
      maxConcurrent: this.#room,
      minTime: Number.NEGATIVE_INFINITY,
    }));
    for (const begun of this.#begun) {
      if (!begun.isQueued) limiter.schedule({ weight: begun.size }, () => begun.end).catch(() => undefined);
      begun.isQueued = true;
    }
    this.#queued += 1;
    try {
      return await limiter.schedule({ weight: size }, task);
    } finally {
      this.#queued -= 1;
    }
  }
}
