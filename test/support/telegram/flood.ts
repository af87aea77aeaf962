import type { Clock } from "./clock.ts";
import type { TelegramLimits } from "./limits.ts";
import { tooManyRequests } from "./refusal.ts";
import type { Chat } from "./wire.ts";

/** At most so many in any window of so many milliseconds. */
export class Window {
  readonly #most: number;
  readonly #ms: number;
  readonly #times: number[] = [];

  constructor(most: number, ms: number) {
    this.#most = most;
    this.#ms = ms;
  }

  /** How long until `count` more would fit; 0 when they do now. */
  wait(count: number, now: number): number {
    while ((this.#times[0] ?? Infinity) <= now - this.#ms) this.#times.shift();
    const excess = this.#times.length + Math.min(count, this.#most) - this.#most;
    return excess <= 0 ? 0 : (this.#times[excess - 1] ?? now) + this.#ms - now;
  }

  take(count: number, now: number): void {
    for (let taken = 0; taken < count; taken += 1) this.#times.push(now);
  }
}

/** A steady rate with a small burst: each message fills the bucket by one interval, and it leaks in real time. */
export class Bucket {
  readonly #ms: number;
  readonly #burst: number;
  #fullUntil = 0;

  constructor(ms: number, burst: number) {
    this.#ms = ms;
    this.#burst = burst;
  }

  wait(_count: number, now: number): number {
    return Math.max(0, this.#fullUntil - (this.#burst - 1) * this.#ms - now);
  }

  take(_count: number, now: number): void {
    this.#fullUntil = Math.max(this.#fullUntil, now) + this.#ms;
  }
}

/** Telegram's sending limits: in a chat, in a group, and altogether. Edits count as messages. */
export class FloodControl {
  readonly #clock: Clock;
  readonly #limits: TelegramLimits;
  readonly #overall: Window;
  readonly #chats = new Map<number, readonly (Window | Bucket)[]>();

  constructor(clock: Clock, limits: TelegramLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#overall = new Window(limits.botMessages, limits.botMs);
  }

  /**
   * Counts messages to a chat.
   * @param chat nothing for an inline message, whose chat the bot does not know
   * @param count an album is one message to its chat, but each of its items counts in a group and altogether
   * @throws Refusal 429 when they are too many; nothing is counted then
   */
  admit(chat: Chat | undefined, count: number): void {
    const now = this.#clock.now();
    const gates = [this.#overall, ...(chat ? this.#gatesOf(chat) : [])];
    const wait = Math.max(...gates.map((gate) => gate.wait(count, now)));
    if (wait > 0) throw tooManyRequests(wait);
    for (const gate of gates) gate.take(count, now);
  }

  #gatesOf(chat: Chat): readonly (Window | Bucket)[] {
    const { chatMs, chatBurst, groupMessages, groupMs } = this.#limits;
    let gates = this.#chats.get(chat.id);
    if (!gates) {
      gates = [new Bucket(chatMs, chatBurst)];
      if (chat.type !== "private") gates = [...gates, new Window(groupMessages, groupMs)];
      this.#chats.set(chat.id, gates);
    }
    return gates;
  }
}
