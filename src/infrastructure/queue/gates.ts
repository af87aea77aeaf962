import { Turns } from "./turns.ts";

/** Named gates that each let so many through at a time, in the order of arrival. */
export class Gates {
  readonly #room: number;
  readonly #gates = new Map<string, { turns: Turns; inside: number }>();

  /** @param room of each gate */
  constructor(room = 1) {
    this.#room = room;
  }

  /** Gates that somebody is at. */
  get size(): number {
    return this.#gates.size;
  }

  /** Runs `task` behind this gate as soon as there is room. @param size the room that it takes */
  async pass<T>(name: string, task: () => Promise<T>, size = 1): Promise<T> {
    const gate = this.#gates.get(name) ?? { turns: new Turns(this.#room), inside: 0 };
    this.#gates.set(name, gate);
    // Counted here, because bottleneck's own Group forgets a limiter while one of its jobs still runs.
    gate.inside += 1;
    try {
      return await gate.turns.run(task, size);
    } finally {
      gate.inside -= 1;
      if (gate.inside === 0) this.#gates.delete(name);
    }
  }
}
