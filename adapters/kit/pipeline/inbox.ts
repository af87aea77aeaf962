import { ARRIVED, type Memory } from "../../../src/common/memory.ts";

/** How long what nobody comes to deal with is kept, in milliseconds: after that it is no request any more. */
const LEFT_MS = 7 * 24 * 3_600_000;

interface InboxRules<T> {
  readonly memory: Memory;
  /** A name of its own for each, in whose order they arrived. */
  readonly nameOf: (one: T) => string;
  /** How long the platform may hand on the same again, in milliseconds. */
  readonly repeatedMs: number;
}

/**
 * What arrives from a platform, on disk until it is dealt with. What is done is remembered without its content for as
 * long as the platform may hand it on again.
 */
export class Inbox<T> {
  readonly #rules: InboxRules<T>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(rules: InboxRules<T>) {
    this.#rules = rules;
  }

  /** Keeps some; what comes on several connections at once is returned in the order in which it came. Returns those that are new. */
  keep(batch: readonly T[]): Promise<readonly T[]> {
    const kept = Promise.all([this.#keep(batch), this.#last]).then(([fresh]) => fresh);
    this.#last = kept.catch(() => undefined);
    return kept;
  }

  /** What something is told apart by. */
  nameOf(one: T): string {
    return this.#rules.nameOf(one);
  }

  /** What is kept under a name, as long as it is not dealt with. */
  async find(name: string): Promise<T | undefined> {
    return (await this.#rules.memory.get<T | null>(ARRIVED + name)) ?? undefined;
  }

  async done(one: T): Promise<void> {
    const { memory, nameOf, repeatedMs } = this.#rules;
    // What was said and done is neither said nor done again after a restart.
    await memory.keep(() => memory.set(ARRIVED + nameOf(one), null, repeatedMs));
  }

  /** What an earlier process left, in its order. */
  async left(): Promise<readonly T[]> {
    const { memory, nameOf } = this.#rules;
    const entries = await memory.entries<T | null>();
    return entries
      .flatMap(([key, one]) => (key.startsWith(ARRIVED) && one !== null ? [one] : []))
      .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  async #keep(batch: readonly T[]): Promise<readonly T[]> {
    const { memory, nameOf } = this.#rules;
    const keyed = [...new Map(batch.map((one) => [ARRIVED + nameOf(one), one]))];
    // Side by side they wait for the disk together.
    const added = await Promise.all(keyed.map(([key, one]) => memory.add(key, one, LEFT_MS)));
    return keyed.filter((_, nth) => added[nth]).map(([, one]) => one);
  }
}
