/** Jobs of one key that are sent side by side before anything is known of its slots. */
const START = 4;

/** The right to submit one job; exactly one of `accepted`, `refused` and `abandoned` is to be called when the answer is known. */
export interface Permit {
  /**
   * The job waits for something else: others may have its slot meanwhile.
   * @param wasPassed whether they had all slots when it was to leave once before: then it keeps this one, unless another job of
   *   the key's does so
   */
  giveBack(wasPassed: boolean): void;
  /**
   * To be called before the job leaves.
   * @param look tells what the key holds by now; asked where the slot was given back
   * @returns whether the job has a slot
   */
  takeAgain(look: () => Promise<Held>): Promise<boolean>;
  /** The service took the job, and it runs. */
  accepted(): void;
  /** The service had no free slot (the other 429 of section 7). */
  refused(): void;
  /** Anything else happened: nothing is learned. */
  abandoned(): void;
}

/** A key's jobs at the service, as the ledger knows them. */
export interface Held {
  /** The service runs them. */
  readonly running: number;
  /** It may run them, or have refused them: the answer was lost. */
  readonly unsure: number;
}

/** How long is waited, in milliseconds. */
export interface SlotTimes {
  /** After a refusal that no job of ours explains. */
  readonly pauseMs: number;
  /** For an answer, before others no longer wait for it. */
  readonly silentMs: number;
}

/** A permit whose answer is not known yet. */
interface Pending {
  /** When it was given. */
  readonly since: number;
}

/** What is known of one key's slots. */
interface KeySlots {
  held: Held;
  readonly pending: Set<Pending>;
  /** Whether a slot is kept for a job that waits for something else: so many at once. */
  kept: 0 | 1;
  /** As many were seen to run at once: up to here, submissions need not wait for each other. */
  proven: number;
  /** As many may run as far as is known: at this number one was refused. */
  ceiling: number;
  /** Jobs that ended since the ceiling was last moved. */
  ended: number;
  /** No submission before this time, in milliseconds of the monotonic clock. */
  pausedUntil: number;
  /** None in place of a job that may hold no slot before this time, likewise. */
  doubtedUntil: number;
}

/**
 * How many jobs each key may have running at once. The number is not published (section 8.1), so it is
 * learned: beyond what is proven one submission at a time tries for one more; a refusal at `n` jobs sets the
 * ceiling to `n` until one of the key's own jobs ends; and once as many jobs as the ceiling have ended, it
 * rises by one, because subscriptions change. That costs at most one refusal per `ceiling` jobs.
 *
 * A submission that gives no answer, or whose answer was lost, may hold a slot or not. Others do not wait to find out: one
 * at a time tries for its place, and when that is refused, none does for a pause. One that has not left yet and waits for its
 * rate holds none (`giveBack`).
 * It is kept in memory: after a restart it is learned anew, from {@link START} on.
 */
export class Slots {
  readonly #keys = new Map<string, KeySlots>();
  readonly #times: SlotTimes;

  constructor(times: SlotTimes) {
    this.#times = times;
  }

  /**
   * Asks to submit one more job.
   * @param key its fingerprint
   * @returns undefined when it must wait: ask again when a job of the key has ended or a permit was answered,
   *   and now and then besides, as others may be using the same key's slots
   */
  tryEnter(key: string, held: Held): Permit | undefined {
    const slots = this.#of(key, held);
    let permit = this.#enter(slots);
    if (!permit) return undefined;
    let keeps = false;
    const leave = () => {
      if (permit) slots.pending.delete(permit);
      permit = undefined;
      if (keeps) slots.kept = 0;
      keeps = false;
    };
    return {
      giveBack: (wasPassed) => {
        leave();
        if (!wasPassed || slots.kept > 0) return;
        slots.kept = 1;
        keeps = true;
      },
      takeAgain: async (look) => {
        if (permit) return true;
        slots.held = await look();
        leave();
        permit = this.#enter(slots, true);
        return permit !== undefined;
      },
      accepted: () => {
        leave();
        const running = slots.held.running + 1;
        slots.held = { ...slots.held, running };
        slots.proven = Math.max(slots.proven, running);
        slots.ceiling = Math.max(slots.ceiling, running);
      },
      refused: () => {
        leave();
        this.#refused(slots);
      },
      abandoned: leave,
    };
  }

  /** How many jobs a key has at the service, or may have, and how many slots are known of; one more than it has where none was refused. */
  loadOf(key: string, held: Held): { readonly jobs: number; readonly slots: number } {
    const { pending, proven, ceiling } = this.#of(key, held);
    const jobs = held.running + held.unsure + pending.size;
    return { jobs, slots: Number.isFinite(ceiling) ? ceiling : Math.max(proven, jobs + 1) };
  }

  /** One of the key's jobs no longer runs at the service. */
  ended(key: string): void {
    const slots = this.#keys.get(key);
    if (!slots) return;
    slots.held = { ...slots.held, running: Math.max(0, slots.held.running - 1) };
    slots.ended += 1;
    if (slots.ended < slots.ceiling) return;
    slots.ceiling += 1;
    slots.ended = 0;
  }

  /**
   * Counts one more submission that is on its way, where there is room for it.
   * @param isReady it leaves at once: it tries beside others for what is not proven, and its place in the rate is not left idle
   */
  #enter(slots: KeySlots, isReady = false): Pending | undefined {
    const now = performance.now();
    if (now < slots.pausedUntil || !this.#hasRoom(slots, now, isReady)) return undefined;
    const permit = { since: now };
    slots.pending.add(permit);
    return permit;
  }

  #hasRoom(
    { held, pending, kept, proven, ceiling, doubtedUntil }: KeySlots,
    now: number,
    isReady: boolean,
  ): boolean {
    const awaited = [...pending].filter(({ since }) => now - since < this.#times.silentMs).length;
    const certain = held.running + awaited + kept;
    const doubtful = held.unsure + pending.size - awaited;
    if (certain + doubtful < Math.min(proven, ceiling)) return true;
    if (awaited > 0) return isReady && certain + doubtful < ceiling;
    return certain + doubtful < ceiling || (certain < ceiling && now >= doubtedUntil);
  }

  #refused(slots: KeySlots): void {
    const { held, pending } = slots;
    const doubtful = held.unsure + pending.size;
    const all = held.running + doubtful;
    slots.ceiling = Math.min(slots.ceiling, Math.max(1, all));
    slots.proven = Math.min(slots.proven, slots.ceiling);
    slots.ended = 0;
    const until = performance.now() + this.#times.pauseMs;
    if (all === 0) slots.pausedUntil = until;
    if (doubtful > 0) slots.doubtedUntil = until;
  }

  /** What is known of a key's slots, with what it holds now. */
  #of(key: string, held: Held): KeySlots {
    const known = this.#keys.get(key);
    if (known) {
      known.held = held;
      return known;
    }
    const fresh: KeySlots = {
      held,
      pending: new Set(),
      kept: 0,
      proven: START,
      ceiling: Infinity,
      ended: 0,
      pausedUntil: -Infinity,
      doubtedUntil: -Infinity,
    };
    this.#keys.set(key, fresh);
    return fresh;
  }
}
