/** As many lines as are kept: some megabytes at most. */
const MOST = 2_000;

/** The newest lines of this process's log, in memory alone, as they were written: without keys and pictures. */
export class RecentLines {
  readonly #lines: string[] = [];
  /** Where the oldest is, once there are as many as are kept. */
  #oldest = 0;

  add(line: string): void {
    if (this.#lines.length < MOST) this.#lines.push(line);
    else {
      this.#lines[this.#oldest] = line;
      this.#oldest = (this.#oldest + 1) % MOST;
    }
  }

  /** Lines that something stands in, such as the id of a request, the newest first. @param limit so many at most */
  find(sought: string, limit: number): readonly string[] {
    const found: string[] = [];
    for (let back = 1; back <= this.#lines.length && found.length < limit; back++) {
      const line = this.#lines[(this.#oldest + this.#lines.length - back) % this.#lines.length] ?? "";
      if (line.includes(sought)) found.push(line);
    }
    return found;
  }
}
