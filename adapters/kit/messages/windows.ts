import { ReelayError } from "../../../src/common/errors.ts";
import type { Memory } from "../../../src/common/memory.ts";
import { currentTime } from "../../../src/common/time.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { numberOf } from "./numbers.ts";

/** Longer than anything waits to be told, in milliseconds. */
const KEPT_MS = 90 * 24 * 3_600_000;

const WINDOWS = "window:";

interface Kept {
  /** Until when they may be spoken to, in milliseconds since 1970. */
  readonly until: number;
  /** Whether they were told meanwhile that something is there. */
  readonly isTold: boolean;
}

/** Until when people may be spoken to, where a platform allows that for some time after their last word only. */
export class Windows {
  readonly #memory: Memory;
  readonly #windowMs: number;

  /** @param windowMs for how long after their last word, in milliseconds */
  constructor(memory: Memory, windowMs: number) {
    this.#memory = memory;
    this.#windowMs = windowMs;
  }

  /**
   * Notes that somebody said something.
   * @param at in milliseconds since 1970
   * @returns until when they may be spoken to
   */
  async hear(chat: string, at: number): Promise<number> {
    const until = Math.min(at, currentTime()) + this.#windowMs;
    const kept = await this.#find(chat);
    if (until > (kept?.until ?? 0)) await this.#keep(chat, { until, isTold: false });
    return Math.max(until, kept?.until ?? 0);
  }

  /**
   * Posts something to somebody who may be spoken to.
   * @param until when they may be, where that is not known here, in milliseconds since 1970
   * @param hindranceOf what an error says of that: nothing, where it is about something else
   * @param tell tells them that something waits for their next word; once until that. Left out where they are not to be told
   * @throws ReelayError `undeliverable` where it has to wait for that; what `post` throws
   */
  async within<T>(
    chat: string,
    until: number,
    post: () => Promise<T>,
    hindranceOf: (error: unknown) => "window" | "unreachable" | undefined,
    tell?: () => Promise<unknown>,
  ): Promise<T> {
    const kept = await this.#find(chat);
    let cause: unknown;
    if ((kept?.until ?? until) > currentTime()) {
      try {
        return await post();
      } catch (error) {
        const hindrance = hindranceOf(error);
        if (hindrance === undefined) throw error;
        cause = error;
        await this.close(chat, hindrance === "unreachable");
      }
    }
    if (tell && (await this.#takeTelling(chat))) await tell();
    throw new ReelayError("undeliverable", {}, { cause });
  }

  /** Notes that nothing can be said to somebody until their next word. @param isTold whether nothing can tell them of that either */
  async close(chat: string, isTold = false): Promise<void> {
    const kept = await this.#find(chat);
    await this.#keep(chat, { until: 0, isTold: isTold || (kept?.isTold ?? false) });
  }

  /** Whether somebody is still to be told that something is there: once until their next word. */
  async #takeTelling(chat: string): Promise<boolean> {
    const kept = await this.#find(chat);
    if (kept?.isTold) return false;
    await this.#keep(chat, { until: kept?.until ?? 0, isTold: true });
    return true;
  }

  /** Erases what is known of a person. */
  forget(user: UserId): Promise<void> {
    return this.#memory.delete(WINDOWS + numberOf(user));
  }

  /** Nothing of it is a conversation; what is old expires by itself. */
  async expire(): Promise<void> {}

  #find(chat: string): Promise<Kept | undefined> {
    return this.#memory.get<Kept>(WINDOWS + chat);
  }

  #keep(chat: string, kept: Kept): Promise<void> {
    return this.#memory.set(WINDOWS + chat, kept, KEPT_MS);
  }
}
