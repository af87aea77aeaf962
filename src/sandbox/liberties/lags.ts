import type { Lag } from "./liberties.ts";

/** Seconds before scaling, or reads that come too early. */
const LAGS: Readonly<Record<Lag, { readonly seconds: number } | { readonly reads: number }>> = {
  "at-once": { seconds: 0 },
  "after-3-s": { seconds: 3 },
  "after-20-s": { seconds: 20 },
  "third-read": { reads: 2 },
};

/** A lag in milliseconds; none for one that is counted in reads. */
export function lagMs(lag: Lag, timeScale: number): number {
  const rule = LAGS[lag];
  return "seconds" in rule ? rule.seconds * 1000 * timeScale : 0;
}

/** Tells whether what has happened is to be seen yet. */
export class Lags {
  readonly #timeScale: number;
  readonly #reads = new Map<string, number>();

  /** @param timeScale stretches or shrinks the seconds */
  constructor(timeScale: number) {
    this.#timeScale = timeScale;
  }

  /**
   * Whether something is to be seen; each time it is asked counts as one read of it.
   * @param what names it
   * @param since when it happened, in milliseconds since 1970
   */
  isSeen(lag: Lag, what: string, since: number): boolean {
    const rule = LAGS[lag];
    if ("seconds" in rule) return Date.now() - since >= rule.seconds * 1000 * this.#timeScale;
    const reads = this.#reads.get(what) ?? 0;
    this.#reads.set(what, reads + 1);
    return reads >= rule.reads;
  }
}
