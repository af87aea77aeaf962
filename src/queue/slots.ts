/** Jobs of one key that are sent side by side before anything is known of its slots. */
const START = 4;

/** The right to submit one job; exactly one of its methods is to be called when the answer is known. */
export interface Permit {
  /** The service took the job, and it runs. */
  accepted(): void;
  /** The service had no free slot (the other 429 of section 7). */
  refused(): void;
  /** Anything else happened: nothing is learned. */
  abandoned(): void;
}

/** What is known of one key's slots. */
interface KeySlots {
  /** Jobs that the service runs, as far as is known here. */
  running: number;
  /** Permits whose answer is not known yet. */
  pending: number;
  /** As many were seen to run at once: up to here, submissions need not wait for each other. */
  proven: number;
  /** As many may run as far as is known: at this number one was refused. */
  ceiling: number;
  /** Jobs that ended since the ceiling was last moved. */
  ended: number;
  /** No submission before this time, in milliseconds since 1970. */
  pausedUntil: number;
}

/**
 * How many jobs each key may have running at once. The number is not published (section 8.1), so it is
 * learned: beyond what is proven one submission at a time tries for one more; a refusal at `n` jobs sets the
 * ceiling to `n` until one of the key's own jobs ends; and once as many jobs as the ceiling have ended, it
 * rises by one, because subscriptions change. That costs at most one refusal per `ceiling` jobs.
 * It is kept in memory: after a restart it is learned anew, from {@link START} on.
 */
export class Slots {
  readonly #keys = new Map<string, KeySlots>();
  readonly #pauseMs: number;

  /** @param pauseMs how long a key waits when it is refused with no job of its own running, in milliseconds */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /**
   * Asks to submit one more job.
   * @param key its fingerprint
   * @param running jobs of this key that the service runs, or may run, as the ledger knows them
   * @returns undefined when it must wait: ask again when a job of the key has ended or a permit was answered,
   *   and now and then besides, as others may be using the same key's slots
   */
  tryEnter(key: string, running: number): Permit | undefined {
    const slots = this.#of(key);
    slots.running = running;
    const count = running + slots.pending;
    const mayTry = count < slots.proven || (count < slots.ceiling && slots.pending === 0);
    if (count >= slots.ceiling || !mayTry || Date.now() < slots.pausedUntil) return undefined;
    slots.pending += 1;
    return {
      accepted: () => {
        slots.pending -= 1;
        slots.running += 1;
        slots.proven = Math.max(slots.proven, slots.running);
      },
      refused: () => {
        slots.pending -= 1;
        const held = slots.running + slots.pending;
        slots.ceiling = Math.max(1, held);
        slots.proven = Math.min(slots.proven, slots.ceiling);
        slots.ended = 0;
        if (held === 0) slots.pausedUntil = Date.now() + this.#pauseMs;
      },
      abandoned: () => {
        slots.pending -= 1;
      },
    };
  }

  /** One of the key's jobs no longer runs at the service. */
  ended(key: string): void {
    const slots = this.#of(key);
    slots.running = Math.max(0, slots.running - 1);
    slots.ended += 1;
    if (slots.ended < slots.ceiling) return;
    slots.ceiling += 1;
    slots.ended = 0;
  }

  #of(key: string): KeySlots {
    const known = this.#keys.get(key);
    if (known) return known;
    const fresh = { running: 0, pending: 0, proven: START, ceiling: Infinity, ended: 0, pausedUntil: 0 };
    this.#keys.set(key, fresh);
    return fresh;
  }
}
