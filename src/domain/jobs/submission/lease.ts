/**
 * How long a process may work on its jobs after it last showed that it lives, in milliseconds. Before this time nobody
 * takes them over whose processes cannot see each other, and after it, less a margin, nothing is sent any more.
 */
export const LEASE_MS = 30_000;

/** Shorter, a busy machine alone would end it, in milliseconds. */
const SHORTEST_MS = 5_000;

/** What passes between looking at the lease and the kernel's taking the bytes, as a share of the lease. */
const MARGIN = 1 / 6;

/** {@link LEASE_MS}, in a world whose window of 60 s lasts so many milliseconds. */
export function leaseFor(rateWindowMs: number): number {
  return Math.min(LEASE_MS, Math.max(SHORTEST_MS, rateWindowMs / 2));
}

/** One moment on two clocks, in milliseconds. */
export interface Instant {
  /** Never set, and stands still while the machine sleeps. */
  readonly monotonic: number;
  /** Since 1970: goes on while the machine sleeps, and may be set. */
  readonly wall: number;
}

/** This moment. */
export const instant = (): Instant => ({ monotonic: performance.now(), wall: Date.now() });

/** How long ago a moment was, in milliseconds, by whichever clock says more. */
export function ageOf({ monotonic, wall }: Instant): number {
  const now = instant();
  return Math.max(now.monotonic - monotonic, now.wall - wall);
}

/** This process stood still for so long that others may have taken its jobs over: what it had begun is left where it is. */
export class LeaseLapsed extends Error {
  override readonly name = "LeaseLapsed";
}

/** A process's right to work on its jobs. It lapses by whichever clock says so first. */
export class Lease {
  /** In milliseconds. */
  readonly ms: number;
  #renewed: Instant | undefined;

  constructor(ms: number) {
    this.ms = ms;
  }

  /** @param at a moment before the sign of life that has now been kept */
  renew(at: Instant): void {
    this.#renewed = at;
  }

  end(): void {
    this.#renewed = undefined;
  }

  /** Whether nobody can have taken this process for gone by now. */
  isHeld(): boolean {
    return this.#renewed !== undefined && ageOf(this.#renewed) < this.ms * (1 - MARGIN);
  }
}
