import type { Logger } from "../../../src/telemetry.ts";
import { atMost } from "../../../src/time.ts";

/** How long the start waits for a platform before it goes on without, in milliseconds. */
const CONNECT_MS = 10_000;

/** A platform as it is opened: what it works with is there once it was reached. */
export class Opening<T> {
  readonly #title: string;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  /** Undefined until it was reached. */
  reached: T | undefined;

  /**
   * @param title the platform as people call it
   * @param signal aborted when it is to stop
   */
  constructor(title: string, log: Logger, signal: AbortSignal) {
    this.#title = title;
    this.#log = log;
    this.#signal = signal;
  }

  /** What it works with. @throws where it was not reached yet */
  get now(): T {
    if (this.reached === undefined) throw new Error(`${this.#title} was not reached yet.`);
    return this.reached;
  }

  /** Waits a while for it; the other platforms are there without it, and it is tried on. */
  async start(open: () => Promise<void>): Promise<void> {
    const opening = open();
    if (await atMost(CONNECT_MS, opening)) return;
    opening.catch((err: unknown) => {
      if (!this.#signal.aborted) this.#log.error({ err }, `${this.#title} could not be started`);
    });
  }
}
