import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { Now } from "../../seam/access/console.ts";

/** No more than one look in this time, in milliseconds. */
const LEAST_MS = 1_000;

/** A look may take so much of the time from one to the next: with many jobs there are fewer looks. */
const SHARE = 1 / 50;

/** However long a look takes, the next one follows within this, in milliseconds. */
const MOST_MS = 10_000;

/** Tells all who look what is going on: looked at once for all of them, and not at all while nobody looks. */
export class NowFeed {
  readonly #look: () => Promise<Now>;
  readonly #log: Pick<Logger, "error">;
  readonly #hearers = new Set<(json: string) => void>();
  #last: string | undefined;
  #next: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(look: () => Promise<Now>, log: Pick<Logger, "error">) {
    this.#look = look;
    this.#log = log;
  }

  /**
   * Tells what was seen last, and from then on each look.
   * @param hear is given JSON of {@link Now}
   * @returns the way to stop it
   */
  follow(hear: (json: string) => void): () => void {
    // The same function twice would be one who hears.
    const own = (json: string) => hear(json);
    this.#hearers.add(own);
    if (this.#last !== undefined) own(this.#last);
    if (!this.#isLooking && this.#next === undefined) this.#begin();
    return () => {
      this.#hearers.delete(own);
      if (this.#hearers.size === 0) this.#rest();
    };
  }

  #begin(): void {
    this.#next = undefined;
    this.#isLooking = true;
    this.#round().catch((err: unknown) => this.#log.error({ err }, "What is going on is looked at no more"));
  }

  async #round(): Promise<void> {
    const from = performance.now();
    try {
      this.#last = JSON.stringify(await this.#look());
      for (const hear of this.#hearers) hear(this.#last);
    } catch (err) {
      this.#log.error({ err }, "What is going on could not be looked at; trying again");
    }
    this.#isLooking = false;
    if (this.#hearers.size === 0) return this.#rest();
    const pause = Math.min(MOST_MS, Math.max(LEAST_MS, (performance.now() - from) / SHARE));
    this.#next = setTimeout(() => this.#begin(), pause);
  }

  /** What was seen will be of another time when somebody looks again. */
  #rest(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
    this.#last = undefined;
  }
}
