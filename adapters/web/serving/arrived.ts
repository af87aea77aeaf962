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

/** What people asked for, on disk until it is dealt with: what the process ended in goes on in the next. */
export class Unfinished<One extends { readonly origin: Pick<Origin, "user"> }> {
  readonly #memory: Memory;
  readonly #prefix: string;
  readonly #nameOf: (one: One) => string;

  /**
   * @param prefix how their keys begin
   * @param nameOf what each is told apart by
   */
  constructor(memory: Memory, prefix: string, nameOf: (one: One) => string) {
    this.#memory = memory;
    this.#prefix = prefix;
    this.#nameOf = nameOf;
  }

  keep(one: One): Promise<void> {
    return this.#memory.set(this.#keyOf(one), one, LEFT_MS);
  }

  async done(one: One): Promise<void> {
    await this.#memory.keep(() => this.#memory.delete(this.#keyOf(one)));
  }

  /** Whether it is still to be dealt with. */
  async isLeft(one: One): Promise<boolean> {
    return (await this.#memory.get(this.#keyOf(one))) !== undefined;
  }

  /** What an earlier process left. */
  async left(): Promise<readonly One[]> {
    const entries = await this.#memory.entries<One | null>(this.#prefix);
    return entries.flatMap(([, one]) => (one ? [one] : []));
  }

  /** Erases what somebody asked for. @param but what stays */
  async forget(user: UserId, but: (one: One) => boolean = () => false): Promise<void> {
    for (const one of await this.left()) if (one.origin.user === user && !but(one)) await this.done(one);
  }

  #keyOf(one: One): string {
    return this.#prefix + this.#nameOf(one);
  }
}

/** Requests on disk, before anything is shown of them. */
export const arrivedRequests = (memory: Memory) =>
  new Unfinished<Arrived>(memory, ARRIVED, ({ origin }) => origin.request);
