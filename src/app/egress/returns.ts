import { lookAgain, steady, within } from "../../common/time.ts";
import { askBy, type Transport } from "../../infrastructure/api/media-api.ts";

/** How often is looked for addresses to ask by, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** The first pause before one is asked by again; doubles up to the longest, in milliseconds. */
const PAUSE_MS = { first: 1_000, longest: 30_000 } as const;

/** How long an answer may take, in milliseconds. */
const ANSWER_MS = 10_000;

/** What it works with. */
interface ReturnsParts {
  readonly transport: Transport;
  /** The service's address, ending in `/api`. */
  readonly apiUrl: string;
  /** Milliseconds by a clock that never goes back; by default {@link steady}. */
  readonly now?: () => number;
}

/**
 * Finds out that what could not be left by can be again, by asking: where nothing is made, no request of anybody's would try it,
 * and operators would be told of it for as long.
 */
export class EgressReturns {
  readonly #parts: Required<ReturnsParts>;
  readonly #stop = new AbortController();
  /** Of each address that is away: when it is asked by again, and the pause after that. */
  readonly #next = new Map<string, { readonly at: number; readonly pauseMs: number }>();
  #loop = Promise.resolve();

  constructor({ now = steady, ...parts }: ReturnsParts) {
    this.#parts = { ...parts, now };
  }

  start(): void {
    this.#loop = lookAgain(() => this.look(), LOOK_EVERY_MS, this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  /** Asks by each address that is away, where it is time for that. */
  async look(): Promise<void> {
    const { transport } = this.#parts;
    for (const { name, isAway } of transport.egresses) if (!isAway) this.#next.delete(name);
    await Promise.all(transport.egresses.filter(({ isAway }) => isAway).map(({ name }) => this.#try(name)));
  }

  async #try(name: string): Promise<void> {
    const { transport, apiUrl, now } = this.#parts;
    const next = this.#next.get(name) ?? { at: now() + PAUSE_MS.first, pauseMs: PAUSE_MS.first };
    this.#next.set(name, next);
    if (now() < next.at) return;
    // The transport notes what comes of it, and says so.
    await within(ANSWER_MS, (signal) => askBy(transport, apiUrl, name, signal), this.#stop.signal).catch(
      () => undefined,
    );
    const pauseMs = Math.min(next.pauseMs * 2, PAUSE_MS.longest);
    this.#next.set(name, { at: now() + pauseMs, pauseMs });
  }
}
