/** A scale at which time passes by {@link Clock.pass} alone, as far as a test lives to see: a second takes a quarter of an hour. */
export const STANDS_STILL = 1_000;

/** The fake's time: can run faster than real time, and be set forward. */
export class Clock {
  readonly #scale: number;
  readonly #startedAt = performance.now();
  #passed = Date.now();

  /** @param scale real time for one unit of the fake's: 0.1 runs ten times as fast */
  constructor(scale: number) {
    this.#scale = scale;
  }

  /** Milliseconds since 1970, as the fake sees it. */
  now(): number {
    return this.#passed + (performance.now() - this.#startedAt) / this.#scale;
  }

  /** Seconds since 1970, as dates are in the Bot API. */
  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  /** Lets time pass at once. */
  pass(ms: number): void {
    this.#passed += ms;
  }

  /** How many real milliseconds some of the fake's are. */
  real(ms: number): number {
    return ms * this.#scale;
  }
}
