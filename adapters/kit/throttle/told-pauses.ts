import type { ChatKey } from "./chat-queue.ts";

/** The pauses that people were told of, in which nothing is said to them because too much was: each is said once. */
export class ToldPauses {
  readonly #longMs: number;
  /** When each ends, on the clock of `performance.now()`. */
  readonly #told = new Map<ChatKey, number>();

  /** @param longMs how long one is that is worth a sentence, in milliseconds */
  constructor(longMs: number) {
    this.#longMs = longMs;
  }

  /**
   * Whether a pause is to be told of now.
   * @param ms how long it is
   * @returns that; undefined where it is short, or was told of
   */
  news(chat: ChatKey, ms: number): number | undefined {
    const now = performance.now();
    const told = this.#told.get(chat) ?? 0;
    if (ms < this.#longMs || now + ms < told + this.#longMs) return undefined;
    for (const [other, end] of this.#told) if (end < now) this.#told.delete(other);
    this.#told.set(chat, now + ms);
    return ms;
  }
}
