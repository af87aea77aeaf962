import { ARRIVED, type SharedMemory } from "../../../src/common/memory.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { RunnerWatch } from "../../../src/seam/surface/surface.ts";
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

type Kept<One> = One & {
  /** The process that deals with it. Versions before this was written left it out. */
  readonly runner?: string;
};

/** What people asked for, on disk until it is dealt with: where the process that does ends, another one goes on with it. */
export class Unfinished<One extends { readonly origin: Pick<Origin, "user"> }> {
  readonly #memory: SharedMemory;
  readonly #prefix: string;
  readonly #nameOf: (one: One) => string;
  readonly #runners: () => RunnerWatch;

  /**
   * @param prefix how their keys begin
   * @param nameOf what each is told apart by
   * @param runners asked for once the core is there
   */
  constructor(
    memory: SharedMemory,
    prefix: string,
    nameOf: (one: One) => string,
    runners: () => RunnerWatch,
  ) {
    this.#memory = memory;
    this.#prefix = prefix;
    this.#nameOf = nameOf;
    this.#runners = runners;
  }

  keep(one: One): Promise<void> {
    return this.#memory.set(this.#keyOf(one), this.#ours(one), LEFT_MS);
  }

  async done(one: One): Promise<void> {
    await this.#memory.keep(() => this.#memory.delete(this.#keyOf(one)));
  }

  /** Whether it is still to be dealt with. */
  async isLeft(one: One): Promise<boolean> {
    return (await this.#memory.get(this.#keyOf(one))) !== undefined;
  }

  /** Takes over what processes that are gone were to deal with; of several that do so at once, each gets its part. */
  async takeOver(): Promise<readonly One[]> {
    const runners = this.#runners();
    const others = (await this.#all()).filter(({ runner }) => runner !== runners.id);
    const gone = new Set(await runners.goneAmong([...new Set(others.flatMap(({ runner }) => runner ?? []))]));
    const left = others.filter(({ runner }) => runner === undefined || gone.has(runner));
    // What is taken is gone on with, whatever becomes of the others: those are looked for again.
    const taken = await Promise.all(left.map((one) => this.#take(one).catch(() => false)));
    return left.filter((_, nth) => taken[nth]);
  }

  /** Erases what somebody asked for. @param but what stays */
  async forget(user: UserId, but: (one: One) => boolean = () => false): Promise<void> {
    for (const one of await this.#all()) if (one.origin.user === user && !but(one)) await this.done(one);
  }

  async #all(): Promise<readonly Kept<One>[]> {
    const entries = await this.#memory.entries<Kept<One> | null>(this.#prefix);
    return entries.flatMap(([, one]) => (one ? [one] : []));
  }

  /** @returns whether nobody else took it, or was done with it, meanwhile */
  async #take(one: Kept<One>): Promise<boolean> {
    let isTaken = false;
    const take = (now: Kept<One> | null | undefined) => {
      isTaken = now != null && now.runner === one.runner;
      return isTaken ? this.#ours(one) : undefined;
    };
    await this.#memory.change(this.#keyOf(one), take, LEFT_MS);
    return isTaken;
  }

  #ours(one: One): Kept<One> {
    return { ...one, runner: this.#runners().id };
  }

  #keyOf(one: One): string {
    return this.#prefix + this.#nameOf(one);
  }
}

/** Requests on disk, before anything is shown of them. */
export const arrivedRequests = (memory: SharedMemory, runners: () => RunnerWatch) =>
  new Unfinished<Arrived>(memory, ARRIVED, ({ origin }) => origin.request, runners);
