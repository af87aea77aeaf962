import type { Memory } from "../../../src/common/memory.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { LINK_MS } from "../../../src/infrastructure/media/files/share.ts";
import { currentTime } from "../../../src/common/time.ts";

/** How far a result has been posted; a platform adds what it is found by. */
export interface Delivery {
  /** Whether all of it is there. */
  readonly complete: boolean;
  /** Since when it is so, in milliseconds since 1970. */
  readonly at?: number;
}

/** What a platform knows of its deliveries. */
export interface DeliveryFacts<D> {
  readonly userOf: (delivery: D) => UserId;
  /** The addresses of those of its files that are on our own server. */
  readonly linksOf: (delivery: D) => readonly string[];
  /** What else goes when it is forgotten. */
  readonly onForgotten?: (delivery: D) => Promise<void>;
}

/** How long it is remembered where a result was posted, in milliseconds: as long as anybody may ask for it again. */
const REMEMBERED_MS = 90 * 24 * 3_600_000;

const RESULTS = "result:";

/** Remembers of each job how far its result has been posted, so that a crash repeats nothing. */
export class DeliveryStore<D extends Delivery> {
  readonly #memory: Memory;
  readonly #facts: DeliveryFacts<D>;

  constructor(memory: Memory, facts: DeliveryFacts<D>) {
    this.#memory = memory;
    this.#facts = facts;
  }

  /** How far a job's result has been posted; undefined where nothing was begun. */
  find(job: string): Promise<D | undefined> {
    return this.#memory.get<D>(RESULTS + job);
  }

  /** Remembers it, as soon as that can be written, because it is seen already; links for as long as they work. */
  keep(job: string, delivery: D): Promise<void> {
    const isLinked = this.#facts.linksOf(delivery).length > 0;
    const kept = { ...delivery, at: currentTime() };
    const forMs = isLinked ? LINK_MS : REMEMBERED_MS;
    return this.#memory.keep(() => this.#memory.set(RESULTS + job, kept, forMs));
  }

  /** Forgets that a result was posted, when it is taken back. */
  drop(job: string): Promise<void> {
    return this.#memory.delete(RESULTS + job);
  }

  /** Erases where results were posted before a time, in milliseconds since 1970. */
  expire(before: number): Promise<void> {
    return this.#forgetIf(({ at = 0 }) => at < before);
  }

  /** Erases where a person's results were posted. */
  forget(user: UserId): Promise<void> {
    return this.#forgetIf((delivery) => this.#facts.userOf(delivery) === user);
  }

  async #forgetIf(isDue: (delivery: D) => boolean): Promise<void> {
    for (const [key, delivery] of await this.#memory.entries<D>()) {
      if (!key.startsWith(RESULTS) || !isDue(delivery)) continue;
      await this.#memory.delete(key);
      await this.#facts.onForgotten?.(delivery);
    }
  }
}
