/** How many facts are held: some 4 MB. */
const MOST = 10_000;

/**
 * What was found out about files by looking into them, by their digest, of the latest so many. Nothing is held that a file
 * could be made of again.
 */
export class Remembered<Fact> {
  readonly #facts = new Map<string, Promise<Fact>>();
  readonly #most: number;

  constructor(most = MOST) {
    this.#most = most;
  }

  /** What is known of a file, or is just being found out; undefined: nothing. @param digest its SHA-256 */
  known(digest: string): Promise<Fact> | undefined {
    const fact = this.#facts.get(digest);
    if (!fact) return undefined;
    // The last of all to go.
    this.#facts.delete(digest);
    this.#facts.set(digest, fact);
    return fact;
  }

  /**
   * What is known of a file, or what is found out now.
   * @param digest its SHA-256
   * @param find finds it out where it is not known; what it throws is passed on and not remembered
   */
  of(digest: string, find: () => Promise<Fact>): Promise<Fact> {
    const known = this.known(digest);
    if (known) return known;
    const fact = find();
    this.#facts.set(digest, fact);
    fact.catch(() => {
      if (this.#facts.get(digest) === fact) this.#facts.delete(digest);
    });
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > this.#most && oldest !== undefined) this.#facts.delete(oldest);
    return fact;
  }
}
