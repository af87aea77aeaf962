import type { Memory } from "../../../src/common/memory.ts";
import { currentTime } from "../../../src/common/time.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { numberOf } from "./numbers.ts";

const NOTES = "note:";

/** How long something is remembered of a chat, in milliseconds: people answer and press what is older by writing it anew. */
const KEPT_MS = 7 * 24 * 3_600_000;

interface Noted<T> {
  readonly what: T;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** What is remembered of single messages of a chat, where the platform tells nothing of a message but its id. */
export class ChatNotes {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** @param withinMs how old it may be, in milliseconds */
  async find<T>(chat: string, name: string, withinMs = Infinity): Promise<T | undefined> {
    const noted = await this.#memory.get<Noted<T>>(keyOf(chat, name));
    return noted && currentTime() - noted.at <= withinMs ? noted.what : undefined;
  }

  /** Remembers something as soon as that can be written: it is about what has happened. */
  async keep(chat: string, name: string, what: unknown): Promise<void> {
    await this.#memory.keep(() => this.#memory.set(keyOf(chat, name), { what, at: currentTime() }, KEPT_MS));
  }

  async drop(chat: string, name: string): Promise<void> {
    await this.#memory.delete(keyOf(chat, name));
  }

  /** Erases what is remembered of a person. */
  forget(user: UserId): Promise<void> {
    return this.forgetChat(numberOf(user));
  }

  /** Erases what is remembered of a chat. */
  async forgetChat(chat: string): Promise<void> {
    await this.#eraseIf((key) => key.startsWith(keyOf(chat, "")));
  }

  /** Erases what was remembered before a time, in milliseconds since 1970. */
  async expire(before: number): Promise<void> {
    await this.#eraseIf((_key, at) => at < before);
  }

  async #eraseIf(isDue: (key: string, at: number) => boolean): Promise<void> {
    for (const [key, { at }] of await this.#memory.entries<Noted<unknown>>())
      if (key.startsWith(NOTES) && isDue(key, at)) await this.#memory.delete(key);
  }
}

const keyOf = (chat: string, name: string) => `${NOTES}${chat}:${name}`;
