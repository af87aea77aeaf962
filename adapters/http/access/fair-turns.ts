/** How many requests are worked on at once: while the disk writes for some, others go on. */
const AT_ONCE = 256;

/** How many begin in one turn of the event loop: what they write goes to the disk in one go. */
const TOGETHER = 16;

/** Whoever is worked for longer waits for somebody outside, and keeps nobody else waiting, in milliseconds. */
const SLOW_MS = 250;

/**
 * Who is worked for next: so many at once, and of those who wait each caller in turn, however many requests each of them
 * has. A turn that takes long, because an address, a picture or somebody's moderation is waited for, gives its place to the
 * next. A few begin in one turn of the event loop: in between, everything else goes on.
 */
export class FairTurns {
  readonly #most: number;
  readonly #together: number;
  readonly #slowMs: number;
  /** What begins each, by caller; whoever is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #atWork = 0;
  #isBeginning = false;

  constructor({ most = AT_ONCE, together = TOGETHER, slowMs = SLOW_MS } = {}) {
    this.#most = most;
    this.#together = together;
    this.#slowMs = slowMs;
  }

  /** Works for a caller when it is their turn. Resolves or rejects as the work does. */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    await this.#turnOf(caller);
    let held = true;
    const leave = () => {
      if (held) this.#leave();
      held = false;
    };
    const slow = setTimeout(leave, this.#slowMs);
    try {
      return await work();
    } finally {
      clearTimeout(slow);
      leave();
    }
  }

  #turnOf(caller: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const theirs = this.#waiting.get(caller);
    if (theirs) theirs.push(resolve);
    else this.#waiting.set(caller, [resolve]);
    this.#beginSoon();
    return promise;
  }

  #leave(): void {
    this.#atWork -= 1;
    this.#beginSoon();
  }

  #beginSoon(): void {
    if (this.#isBeginning || this.#waiting.size === 0 || this.#atWork >= this.#most) return;
    this.#isBeginning = true;
    setImmediate(() => {
      this.#isBeginning = false;
      for (let begun = 0; begun < this.#together && this.#atWork < this.#most; begun += 1) this.#begin();
      this.#beginSoon();
    });
  }

  #begin(): void {
    const [next] = this.#waiting;
    if (!next) return;
    const [caller, theirs] = next;
    this.#waiting.delete(caller);
    const begin = theirs.shift();
    // Whoever wants more comes after everybody else.
    if (theirs.length > 0) this.#waiting.set(caller, theirs);
    this.#atWork += 1;
    begin?.();
  }
}
