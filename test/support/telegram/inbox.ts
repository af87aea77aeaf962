import type { Clock } from "./clock.ts";
import type { TelegramLiberties } from "./liberties.ts";
import { conflict } from "./refusal.ts";
import type { Update, UpdateBody } from "./wire.ts";

/** An update on its way to the bot; those of one chat keep their order. */
export interface Pending {
  readonly chat: number;
  readonly update: Update;
}

/** How a getUpdates asks. */
export interface Poll {
  readonly offset?: number;
  readonly limit?: number;
  /** Seconds. */
  readonly timeout?: number;
}

/** What has happened and the bot does not know yet. */
export class Inbox {
  /** In order; the webhook takes from it what it has delivered. */
  readonly pending: Pending[] = [];
  /** Called at each new update. */
  onUpdate: () => void = () => {};
  /** Which kinds the bot wants; all, unless it said so. */
  allowed: readonly string[] = [];
  readonly #clock: Clock;
  readonly #liberties: TelegramLiberties;
  /** Told twice. */
  readonly #repeated = new Set<number>();
  #next = 100_001;
  #waiting: { wake: (cause?: Error) => void } | undefined;

  constructor(clock: Clock, liberties: TelegramLiberties) {
    this.#clock = clock;
    this.#liberties = liberties;
  }

  push(chat: number, body: UpdateBody): void {
    const kind = Object.keys(body)[0] ?? "";
    if (this.allowed.length > 0 && !this.allowed.includes(kind)) return;
    const { hasNews } = this.#liberties;
    if (hasNews) this.#add(chat, { tomorrows_kind: NEWS } as UpdateBody);
    this.#add(chat, hasNews ? withNews(body) : body);
    this.#waiting?.wake();
    this.onUpdate();
  }

  /**
   * Answers getUpdates: waits for an update up to its time-out; an offset confirms all before it.
   * @throws Refusal 409 when another poll takes over
   */
  async poll({ offset = 0, limit = 100, timeout = 0 }: Poll, gone: AbortSignal): Promise<readonly Update[]> {
    this.#waiting?.wake(
      conflict("terminated by other getUpdates request; make sure that only one bot instance is running"),
    );
    // A negative offset counts from the end and forgets the rest.
    if (offset < 0) this.pending.splice(0, Math.max(0, this.pending.length + offset));
    const first = this.pending.findIndex(({ update }) => update.update_id >= offset);
    this.#repeat(this.pending.splice(0, first < 0 ? this.pending.length : first));
    if (this.pending.length === 0 && timeout > 0) await this.#wait(timeout * 1000, gone);
    const { batch, order } = this.#liberties;
    const told = this.pending.slice(0, Math.min(limit, batch)).map(({ update }) => update);
    return order === "kept" ? told : told.toReversed();
  }

  #add(chat: number, body: UpdateBody): void {
    this.pending.push({ chat, update: { update_id: this.#next, ...body } });
    this.#next += 1;
  }

  /** Puts what the bot has confirmed before what it does not know yet, once. */
  #repeat(confirmed: readonly Pending[]): void {
    if (!this.#liberties.repeatsUpdates) return;
    const again = confirmed.filter(({ update }) => !this.#repeated.has(update.update_id));
    for (const { update } of again) this.#repeated.add(update.update_id);
    this.pending.unshift(...again);
  }

  #wait(ms: number, gone: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { wake: (cause?: Error) => (cause ? reject(cause) : resolve()) };
    this.#waiting = waiting;
    const timer = setTimeout(resolve, this.#clock.real(ms));
    gone.addEventListener("abort", () => resolve(), { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      if (this.#waiting === waiting) this.#waiting = undefined;
    });
  }
}

/** What no version knows yet. */
const NEWS = { tomorrows_field: { is_new: true } };

const withNews = (body: UpdateBody): UpdateBody =>
  Object.fromEntries(Object.entries(body).map(([kind, told]) => [kind, { ...told, ...NEWS }]));
