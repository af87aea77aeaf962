/** How many of the last jobs of a kind tell how long the next one takes. */
const KEPT = 48;

/** What nothing spoke against is expected a little sooner next time: that such jobs became faster would never be seen. */
const UNSEEN = 0.95;

/** The share of jobs that have ended by when one usually has. */
const USUAL = 3 / 4;

/** What a job may have come to by a time, as far as others like it tell. */
export interface Expected {
  /** How probably it has ended, from 0 to 1. */
  readonly hasEnded: number;
  /** How long its end has probably been waited for, in milliseconds; 0 where it has not ended. */
  readonly waitedMs: number;
}

/** How long the last jobs of a kind took, in milliseconds: what the next one may take. Pure; never changed, but made anew. */
export class Durations {
  /** In the order in which they ended. */
  readonly #kept: readonly number[];
  /** How many there ever were. */
  readonly #ever: number;
  readonly #sorted: Float64Array;
  /** Sums of the shortest ones, so that what they waited is told without going through them. */
  readonly #sums: Float64Array;

  private constructor(all: readonly number[], ever: number) {
    this.#kept = all.slice(-KEPT);
    this.#ever = ever;
    this.#sorted = Float64Array.from(this.#kept).sort();
    this.#sums = new Float64Array(this.#sorted.length + 1);
    for (const [nth, ms] of this.#sorted.entries()) this.#sums[nth + 1] = (this.#sums[nth] ?? 0) + ms;
  }

  /** Of no job at all. */
  static readonly none = new Durations([], 0);

  /** What a process keeps for the next one: so many, spread evenly around their mean, as far from it as they were. */
  static around(meanMs: number, spreadMs: number, count: number): Durations {
    const kept = Math.min(KEPT, count);
    const aside = (nth: number) => (kept > 1 ? ((4 * nth) / (kept - 1) - 2) * spreadMs : 0);
    return new Durations(
      Array.from({ length: kept }, (_, nth) => Math.max(0, meanMs + aside(nth))),
      count,
    );
  }

  get count(): number {
    return this.#sorted.length;
  }

  get meanMs(): number {
    return (this.#sums[this.count] ?? 0) / Math.max(1, this.count);
  }

  /** Their mean distance from their mean. */
  get spreadMs(): number {
    const { meanMs } = this;
    return this.#sorted.reduce((sum, ms) => sum + Math.abs(ms - meanMs), 0) / Math.max(1, this.count);
  }

  get soonestMs(): number {
    return this.#sorted[0] ?? 0;
  }

  /** By when three of four had ended. */
  get usualMs(): number {
    const at = USUAL * (this.count - 1);
    const before = this.#sorted[Math.floor(at)] ?? 0;
    return before + (at % 1) * ((this.#sorted[Math.ceil(at)] ?? 0) - before);
  }

  /** By when one like them has ended almost certainly; the fewer are known, the further from the longest. */
  get latestMs(): number {
    return (this.#sorted.at(-1) ?? 0) * (1 + 1 / Math.max(1, this.count));
  }

  /** These, and one more. */
  and(ms: number): Durations {
    return new Durations(this.#kept.concat(ms), this.#ever + 1);
  }

  /**
   * These, and one more that ended between two times. When it was read is our own doing and teaches nothing: it is taken
   * for one of those that it may have been like, each in turn, and for the middle where there are none.
   */
  andBetween(leastMs: number, mostMs: number): Durations {
    const first = this.#endedBy(leastMs);
    const like = this.#endedBy(mostMs) - first;
    if (like === 0) return this.and((leastMs + mostMs) / 2);
    const ms = this.#sorted[first + (this.#ever % like)] ?? mostMs;
    return this.and(Math.max(leastMs, ms * UNSEEN));
  }

  /** What a job has come to at an age, that still ran at another one. One more than these may outlast them all. */
  expected(ranMs: number, ageMs: number): Expected {
    const first = this.#endedBy(ranMs);
    const ended = Math.max(0, this.#endedBy(ageMs) - first);
    const left = this.count - first + 1;
    const sum = (this.#sums[first + ended] ?? 0) - (this.#sums[first] ?? 0);
    return { hasEnded: ended / left, waitedMs: (ended * ageMs - sum) / left };
  }

  /** How many took no longer. Halved until it is found: thousands of jobs are planned with at once. */
  #endedBy(ms: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? 0) <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
