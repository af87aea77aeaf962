/** At most so many in any window of so many milliseconds; in one of none, so many that have no answer yet. */
export interface Rate {
  readonly most: number;
  readonly ms: number;
  /**
   * Until when others may have used all of it, on the clock of `performance.now()`: a process of before this one, whose
   * messages nobody here counted. It comes back evenly from then.
   */
  readonly spentAt?: number;
}

/**
 * Keeps a rate. Each counts until a window after its *answer*, so that
 * no delay on the way can put too many into one window of the server's, whichever way it counts.
 */
export class Budget {
  readonly most: number;
  readonly #ms: number;
  #underWay = 0;
  readonly #ends: number[] = [];

  constructor({ most, ms, spentAt }: Rate) {
    this.most = most;
    this.#ms = ms;
    if (spentAt === undefined) return;
    for (let nth = 1; nth <= most; nth++) this.#ends.push(spentAt - ms + (nth * ms) / most);
  }

  /**
   * When there is room for `count` more: `now` or later, Infinity while only an answer can make room.
   * @param most how much of the whole they may use
   */
  roomAt(now: number, count: number, most = this.most): number {
    this.#expire(now);
    const excess = this.#underWay + this.#ends.length + Math.min(count, most) - most;
    if (excess <= 0) return now;
    return (this.#ends[excess - 1] ?? Infinity) + this.#ms;
  }

  /** Counts what is sent now. Returns what is to be called with the time of its answer. */
  take(count: number): (now: number) => void {
    const taken = Math.min(count, this.most);
    this.#underWay += taken;
    return (now) => {
      this.#underWay -= taken;
      for (let nth = 0; nth < taken; nth++) this.#ends.push(now);
    };
  }

  /** Whether nothing counts any more. */
  isUnused(now: number): boolean {
    this.#expire(now);
    return this.#underWay === 0 && this.#ends.length === 0;
  }

  #expire(now: number): void {
    while ((this.#ends[0] ?? Infinity) + this.#ms <= now) this.#ends.shift();
  }
}
