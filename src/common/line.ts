/** Runs tasks of the same name one after another, in the order in which they came. */
export class Line {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves or rejects as the task does; a task that fails does not hold up the next one. */
  run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const run = before.then(task, task);
    const settled: Promise<unknown> = Promise.allSettled([run]).finally(() => {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    });
    this.#last.set(name, settled);
    return run;
  }

  /** Resolves when everything that stands in line now has run. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
