/** Sleeps until it is woken: cheaper than waiting with a signal for what is woken many times a second. */
export class Sleeper {
  #isWoken = false;
  #wakeUp = () => {};

  /**
   * Waits, but no longer than until {@link wake}; not at all where that was called since the last time.
   * @param ms at most 2^31 - 1; what is past already is no wait
   */
  async sleep(ms: number): Promise<void> {
    if (!this.#isWoken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.max(ms, 0));
      this.#wakeUp = resolve;
      await promise;
      clearTimeout(timer);
    }
    this.#isWoken = false;
  }

  /** Ends the sleep, or the next one before it begins. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
  }
}
