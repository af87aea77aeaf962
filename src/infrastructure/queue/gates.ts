import Bottleneck from "bottleneck";

/** Named gates that let one through at a time, in the order of arrival. */
export class Gates {
  readonly #gates = new Map<string, { limiter: Bottleneck; inside: number }>();

  /** Gates that somebody is at. */
  get size(): number {
    return this.#gates.size;
  }

  /** Runs `task` as the only one behind this gate. */
  async pass<T>(name: string, task: () => Promise<T>): Promise<T> {
    const gate = this.#gates.get(name) ?? { limiter: new Bottleneck({ maxConcurrent: 1 }), inside: 0 };
    this.#gates.set(name, gate);
    // Counted here, because bottleneck's own Group forgets a limiter while one of its jobs still runs.
    gate.inside += 1;
    try {
      return await gate.limiter.schedule(task);
    } finally {
      gate.inside -= 1;
      if (gate.inside === 0) this.#gates.delete(name);
    }
  }
}
