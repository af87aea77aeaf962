import { setBackBy, steady } from "../../common/time.ts";

/** What was last read of each key, and what is being read: many who share a key may ask at once. */
export class Latest<T> {
  readonly #known = new Map<string, { readonly value: T; readonly at: number; readonly setBack: number }>();
  readonly #reading = new Map<string, Promise<T>>();

  note(key: string, value: T): void {
    this.#known.set(key, { value, at: steady(), setBack: setBackBy() });
  }

  /** What was noted less than so many milliseconds ago; nothing from before the clock was set back: its times are of another one. */
  known(key: string, maxAgeMs: number): T | undefined {
    const known = this.#known.get(key);
    if (!known || known.setBack !== setBackBy()) return undefined;
    return steady() - known.at < maxAgeMs ? known.value : undefined;
  }

  /** Reads, together with whoever asks meanwhile: the service answers 120 of a minute (section 8.1). */
  readOnce(key: string, read: () => Promise<T>): Promise<T> {
    const reading = this.#reading.get(key) ?? read().finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }
}
