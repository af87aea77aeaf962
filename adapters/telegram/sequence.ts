import type { Update } from "telegraf/types";
import { currentTime } from "../../src/common/time.ts";

/** How long an update waits for those before it, in milliseconds: calls side by side overtake each other by far less. */
const PATIENCE_MS = 500;
/** After such a silence the next id is any (API, Update), in milliseconds. */
const RESTART_MS = 7 * 24 * 3_600_000;

interface Held {
  readonly update: Update;
  readonly timer: NodeJS.Timeout;
}

/**
 * Hands on updates that come each by itself in the order of their ids, which are there to "restore the correct update
 * sequence, should they get out of order" (API, Update): a webhook is called on up to 100 connections at once (API,
 * setWebhook). Ids go up by one; one that is missing is waited for, but not for long, since it may never come.
 */
export class Sequence {
  readonly #handOn: (update: Update) => void;
  /** Those that wait, in their order. */
  #held: readonly Held[] = [];
  /** The id that is next; undefined where any may be. */
  #next: number | undefined;
  #lastAt = 0;

  /** @param handOn is given each update; it does not throw */
  constructor(handOn: (update: Update) => void) {
    this.#handOn = handOn;
  }

  add(update: Update): void {
    const now = currentTime();
    if (now - this.#lastAt >= RESTART_MS) this.#next = undefined;
    this.#lastAt = now;
    const { update_id: id } = update;
    // Nobody waited for it any longer.
    if (this.#next !== undefined && id < this.#next) return this.#handOn(update);
    const timer = setTimeout(() => this.#handOnUntil(id), PATIENCE_MS);
    this.#held = [...this.#held, { update, timer }].toSorted((a, b) => idOf(a) - idOf(b));
    if (id === this.#next) this.#handOnUntil(id);
  }

  /** Hands on nothing more. */
  stop(): void {
    for (const { timer } of this.#held) clearTimeout(timer);
    this.#held = [];
  }

  /** Hands on everything up to an id, and what follows it without a gap. */
  #handOnUntil(id: number): void {
    let next = id + 1;
    const ready = this.#held.filter((one) => {
      if (idOf(one) === next) next++;
      return idOf(one) < next;
    });
    this.#held = this.#held.slice(ready.length);
    this.#next = next;
    for (const { update, timer } of ready) {
      clearTimeout(timer);
      this.#handOn(update);
    }
  }
}

const idOf = ({ update }: Held): number => update.update_id;
