import { ageOf, type Instant } from "../../../common/time.ts";

/**
 * How long a process may work on its jobs after it last showed that it lives, in milliseconds. Before this time nobody
 * takes them over whose processes cannot see each other, and after it, less a margin, nothing is sent any more.
 */
export const LEASE_MS = 30_000;

/** Shorter, a busy machine alone would end it, in milliseconds. */
const SHORTEST_MS = 5_000;

/** What passes between looking at the lease and the kernel's taking the bytes, as a share of the lease. */
const MARGIN = 1 / 6;

/**
 * The same of processes on several machines, whatever the window: they are to go on with each other's jobs within ten seconds. The
 * database kills what one that stands still has locked, before that.
 */
export const LEASE_ACROSS_MACHINES_MS = 6_000;

/** {@link LEASE_MS}, in a world whose window of 60 s lasts so many milliseconds. */
export function leaseFor(rateWindowMs: number): number {
  return Math.min(LEASE_MS, Math.max(SHORTEST_MS, rateWindowMs / 2));
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
