import { ARRIVED, type Memory } from "../../../src/common/memory.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { UserId, Values } from "../../../src/seam/values.ts";

/** How long what nobody comes to deal with is kept, in milliseconds: after that it is no request any more. */
const LEFT_MS = 7 * 24 * 3_600_000;

/** What somebody pressed for, until it has begun or they were told why not. */
export interface Arrived {
  /** Its `request` is its name: however often it is handed on, it makes one job. */
  readonly origin: Origin & { readonly request: string };
  readonly command: string;
  readonly values: Values;
  /** The message that shows it. */
  readonly bubble: string;
  /** The composer's name for what it held. */
  readonly draft?: string;
}

/** Requests on disk, before anything is shown of them: one that the process ended in goes on in the next. */
export class ArrivedRequests {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  keep(one: Arrived): Promise<void> {
    return this.#memory.set(nameOf(one), one, LEFT_MS);
  }

  async done(one: Arrived): Promise<void> {
    await this.#memory.keep(() => this.#memory.delete(nameOf(one)));
  }

  /** What an earlier process left. */
  async left(): Promise<readonly Arrived[]> {
    const entries = await this.#memory.entries<Arrived | null>();
    return entries.flatMap(([key, one]) => (key.startsWith(ARRIVED) && one ? [one] : []));
  }

  /** Erases what somebody asked for. */
  async forget(user: UserId): Promise<void> {
    for (const one of await this.left()) if (one.origin.user === user) await this.done(one);
  }
}

const nameOf = ({ origin }: Arrived) => ARRIVED + origin.request;
