/** Something to be done for somebody; it does not throw. */
type Work = () => Promise<void>;

/**
 * Work of one person in its order, of different people side by side. Whoever has much to be done waits behind
 * everybody else after each piece of it.
 */
export class Turns {
  readonly #most: number;
  /** What waits, by person; also of those whose work is under way. */
  readonly #work = new Map<string, Work[]>();
  /** Who is next. */
  readonly #ready: string[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #stopped = false;

  /** @param most how many are dealt with at once */
  constructor(most: number) {
    this.#most = most;
  }

  add(person: string, work: Work): void {
    const waiting = this.#work.get(person);
    if (waiting) {
      waiting.push(work);
    } else {
      this.#work.set(person, [work]);
      this.#ready.push(person);
      this.#advance();
    }
  }

  /** Begins nothing more. Resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#underWay);
  }

  #advance(): void {
    while (!this.#stopped && this.#underWay.size < this.#most) {
      const person = this.#ready.shift();
      if (person === undefined) return;
      const running = this.#run(person).finally(() => {
        this.#underWay.delete(running);
        this.#advance();
      });
      this.#underWay.add(running);
    }
  }

  async #run(person: string): Promise<void> {
    const waiting = this.#work.get(person) ?? [];
    await waiting.shift()?.();
    if (waiting.length > 0) this.#ready.push(person);
    else this.#work.delete(person);
  }
}
