/** What was last read of each key, and what is being read: many who share a key may ask at once. */
export class Latest<T> {
  readonly #known = new Map<string, { readonly value: T; readonly at: number }>();
  readonly #reading = new Map<string, Promise<T>>();

  /** @param at when it was read, in milliseconds since 1970 */
  note(key: string, value: T, at = Date.now()): void {
    this.#known.set(key, { value, at });
  }

  /** What was noted less than so many milliseconds ago. */
  known(key: string, maxAgeMs: number): T | undefined {
    const known = this.#known.get(key);
    return known && Date.now() - known.at < maxAgeMs ? known.value : undefined;
  }

  /** Reads, together with whoever asks meanwhile: the service answers 120 of a minute (section 8.1). */
  readOnce(key: string, read: () => Promise<T>): Promise<T> {
    const reading = this.#reading.get(key) ?? read().finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }
}
