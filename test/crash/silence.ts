import { lookAgain } from "../../src/common/time.ts";

/** When a process last showed that it lives, and when that was read, by one clock, in milliseconds. */
export interface Sign {
  readonly id: string;
  readonly beatAt: number;
  readonly now: number;
}

const LOOK_EVERY_MS = 100;

/**
 * Watches how long those may have been silent who share a database. Whoever is so for a lease may be taken for gone although it lives: what
 * is promised to living ones is promised to nobody on a machine that stands still for so long.
 */
export class Silence implements Disposable {
  readonly #read: () => Promise<readonly Sign[]>;
  readonly #last = new Map<string, number>();
  readonly #stop = new AbortController();
  #longest = 0;
  #failure: unknown;

  /** @param read the signs of life of all who are listed */
  constructor(read: () => Promise<readonly Sign[]>) {
    this.#read = read;
    const look = () => this.#look().catch((error: unknown) => void (this.#failure = error));
    void lookAgain(look, LOOK_EVERY_MS, this.#stop.signal);
  }

  /** The most that anybody's last sign can have been old at any moment until now, in milliseconds. */
  async longest(): Promise<number> {
    await this.#look();
    if (this.#failure !== undefined) throw this.#failure;
    return this.#longest;
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  async #look(): Promise<void> {
    for (const { id, beatAt, now } of await this.#read()) {
      // Whatever is there now, the one before may have been the last one until just before.
      this.#longest = Math.max(this.#longest, now - (this.#last.get(id) ?? beatAt));
      this.#last.set(id, beatAt);
    }
  }
}
