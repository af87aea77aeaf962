import { atMost } from "../../../src/common/time.ts";
import type { ChatNotes } from "./notes.ts";

/** A message that is posted once: which one it is, as soon as that was told. */
interface Known {
  readonly message?: string;
}

type Notes = Pick<ChatNotes, "find" | "keep" | "drop">;

/** What is posted under a name. */
interface Named {
  readonly chat: string;
  readonly name: string;
  /** Whether the name is this message's for good: under it nothing else is posted, whichever process tries to. */
  readonly once: boolean;
}

/**
 * What a platform tells of messages by the names that they were posted under, for those whose answers were lost: with a connection, or
 * with the process that waited for them.
 */
export class LostAnswers {
  readonly #notes: Notes | undefined;
  readonly #waiting = new Map<string, PromiseWithResolvers<string>>();

  /** @param notes where it is remembered what was begun; left out where nothing is posted once */
  constructor(notes?: Notes) {
    this.#notes = notes;
  }

  /** Hears which message was posted under a name. */
  async hear(chat: string, name: string, message: string): Promise<void> {
    this.#waiting.get(name)?.resolve(message);
    const known = await this.#find({ chat, name });
    if (known && known.message === undefined) await this.#notes?.keep(chat, keyOf(name), { message });
  }

  /**
   * Posts a message, unless it is told that it is there; where the answer is lost, it is posted once more only if nothing is told of it.
   * @param ms how long that is waited for, in milliseconds
   * @param isAnswer whether an error is the platform's answer: nothing was posted then
   * @returns the message
   * @throws the platform's answer; what lost the answer, where nothing was told of it both times
   */
  async post(
    named: Named,
    ms: number,
    post: () => Promise<string>,
    isAnswer: (error: unknown) => boolean,
  ): Promise<string> {
    const { chat, name, once } = named;
    // It may be told of before it is known that the answer is lost.
    const told = Promise.withResolvers<string>();
    this.#waiting.set(name, told);
    try {
      const there = once ? await this.#there(named, told.promise, ms) : undefined;
      if (there !== undefined) return there;
      if (once) await this.#notes?.keep(chat, keyOf(name), {});
      let lost: unknown;
      const attempt = async () => {
        try {
          return await post();
        } catch (error) {
          if (once && isAnswer(error)) await this.#notes?.drop(chat, keyOf(name));
          if (isAnswer(error)) throw error;
          const heard = await this.#heard(named, told.promise, ms);
          if (heard !== undefined) return heard;
          lost = error;
          return undefined;
        }
      };
      const message = (await attempt()) ?? (await attempt());
      if (message === undefined) throw lost;
      // Whoever comes to it after a crash knows it by that, and need not be told.
      if (once) await this.#notes?.keep(chat, keyOf(name), { message });
      return message;
    } finally {
      this.#waiting.delete(name);
    }
  }

  /** The message, where one is there or was begun: whoever began it has ended before it had an answer. */
  async #there(named: Named, told: Promise<string>, ms: number): Promise<string | undefined> {
    const known = await this.#find(named);
    return known && (known.message ?? (await this.#heard(named, told, ms)));
  }

  /** What is told of a message within a time; it may be told to another process. */
  async #heard(named: Named, told: Promise<string>, ms: number): Promise<string | undefined> {
    if (await atMost(ms, told)) return told;
    return named.once ? (await this.#find(named))?.message : undefined;
  }

  async #find({ chat, name }: Pick<Named, "chat" | "name">): Promise<Known | undefined> {
    return this.#notes?.find<Known>(chat, keyOf(name));
  }
}

const keyOf = (name: string) => `posted:${name}`;
