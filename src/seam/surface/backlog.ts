/** The most that may wait for a client, in bytes: some hundred events. */
const MAX_WAITING = 2 ** 20;

/** What is written to a client one after the other, as fast as it takes it, but for one that lets too much wait. */
export class Backlog {
  readonly #giveUp: () => void;
  #writing: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param giveUp ends the stream, with everything that waits; called once more than 1 MiB does */
  constructor(giveUp: () => void) {
    this.#giveUp = giveUp;
  }

  /**
   * Writes something behind everything that waits.
   * @param bytes how much it is
   * @param write resolves when the client took it, or is gone
   */
  add(bytes: number, write: () => Promise<unknown>): void {
    if (this.#waiting > MAX_WAITING) return;
    this.#waiting += bytes;
    if (this.#waiting > MAX_WAITING) return this.#giveUp();
    this.#writing = this.#writing.then(write).then(() => (this.#waiting -= bytes));
  }

  /** Resolves when everything so far was written. */
  async flushed(): Promise<void> {
    await this.#writing;
  }
}
