/** How many messages are remembered, and how often one is posted at most. */
const [REMEMBERED, MOST] = [1_000, 3];

/** Posts a message. @param name under one name, one message is posted @returns its id */
type Posting = (name: string | undefined) => Promise<string>;

interface Posted {
  readonly post: Posting;
  readonly name: string | undefined;
  readonly time: number;
}

/**
 * Messages that were posted lately, on a platform that tells only later whether they arrived: one that did not, for a reason that passes,
 * is posted again. A restart forgets them: nothing that was paid for is among them.
 */
export class PostedLately {
  readonly #posted = new Map<string, Posted>();
  /** Those that were told of before it was known here that they are there. */
  readonly #lost = new Set<string>();

  /** Posts a message, and remembers how. @returns its id */
  post(post: Posting, name?: string): Promise<string> {
    return this.#post({ post, name, time: 1 });
  }

  /** Hears that a message will not arrive, for a reason that passes. */
  async lost(message: string): Promise<void> {
    const found = this.#posted.get(message);
    this.#posted.delete(message);
    if (found) return void (await this.#again(found));
    this.#lost.add(message);
    forgetOldest(this.#lost);
  }

  async #post(one: Posted): Promise<string> {
    const { post, name, time } = one;
    const message = await post(name === undefined || time === 1 ? name : `${name}:${time}`);
    if (time >= MOST) return message;
    if (this.#lost.delete(message)) return this.#again(one);
    this.#posted.set(message, one);
    forgetOldest(this.#posted);
    return message;
  }

  #again(one: Posted): Promise<string> {
    return this.#post({ ...one, time: one.time + 1 });
  }
}

function forgetOldest(kept: Map<string, unknown> | Set<string>): void {
  const [oldest] = kept.keys();
  if (kept.size > REMEMBERED && oldest !== undefined) kept.delete(oldest);
}
