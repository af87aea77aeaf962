import { Budget, type Rate } from "./budget.ts";
import { type ChatKey, ChatQueue, type Paced, type Waiting } from "./chat-queue.ts";
import { ToldPauses } from "./told-pauses.ts";
import { ALONE, type Others } from "./others.ts";

/** How fast messages may follow each other on a platform. */
export interface ThrottlerLimits {
  readonly overall: Rate;
  /** In one chat; several hold at once. */
  readonly inChat: (chat: ChatKey) => readonly Rate[];
  /** How much of a chat's rates is kept for what goes first there, from 0 to 1; nothing unless given. */
  readonly keptForFirst?: number;
  /** From when on a wait in a chat is long, in milliseconds; never unless given. */
  readonly longMs?: number;
  /** Who rests after a failure of a call, and of one of which it is told later; nobody unless given. */
  readonly restAfter?: RestAfter;
}

/** Who is to be left alone after a failure, and how long, in milliseconds. */
interface Rest {
  readonly who: "chat" | "all";
  readonly ms: number;
}

/** Who is to be left alone after so many failures; undefined where it is none that passes. */
type RestAfter = (error: unknown, failures: number) => Rest | undefined;

/** How often a call is made again after what passes, and how much longer the rest is each time. */
const [TRIES, LONGER] = [3, 4];

/** How soon after another a failure that is told of later is one more of the same, in milliseconds. */
const IN_A_ROW_MS = 10 * 60_000;

/** Rests four times as long after each failure, and three times at most. @param firstMs how long first, in milliseconds */
export const restingLonger =
  (whoOf: (error: unknown) => Rest["who"] | undefined, firstMs: number): RestAfter =>
  (error, failures) => {
    const who = whoOf(error);
    return who && failures <= TRIES ? { who, ms: firstMs * LONGER ** (failures - 1) } : undefined;
  };

/** How much of a rate idle calls may use: the rest is for what somebody waits for. */
const IDLE_SHARE = 0.5;

/** Gives calls their turn inside a platform's limits: in a chat, and altogether. */
export class Throttler {
  readonly #limits: ThrottlerLimits;
  readonly #overall: Budget;
  readonly #others: Others;
  readonly #pauses: ToldPauses;
  readonly #deaf: () => void;
  readonly #queues = new Map<ChatKey, ChatQueue>();
  /** How often in a row it was told of a chat that something failed, and when last. */
  readonly #failedLater = new Map<ChatKey, { readonly count: number; readonly at: number }>();
  #heldUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed: Error | undefined;

  constructor(limits: ThrottlerLimits, others = ALONE) {
    this.#limits = limits;
    this.#others = others;
    this.#overall = new Budget(limits.overall);
    this.#pauses = new ToldPauses(limits.longMs ?? Infinity);
    this.#deaf = others.on((chat, messages) => this.#noteSent(chat, messages));
  }

  /** How many chats it remembers: those that something waits or still counts in. */
  get chats(): number {
    return this.#queues.size;
  }

  /**
   * How long whatever does not go first would wait in a chat now, once where that is long: then it is to be told there, or nobody knows
   * why nothing comes. In milliseconds.
   */
  pauseToTell(chat: ChatKey): number | undefined {
    const now = performance.now();
    const times = (this.#queues.get(chat)?.budgets ?? []).map((budget) =>
      budget.roomAt(now, 1, this.#mostOf(budget, {})),
    );
    // Where an answer is waited for, it is there soon.
    const ms = Math.max(0, ...times.filter(Number.isFinite).map((at) => at - now));
    return this.#pauses.news(chat, ms);
  }

  /**
   * Waits for a turn. What is returned is to be called when the answer is there.
   * @throws Superseded when a call is not needed any more; the signal's reason; what {@link close} was given
   */
  async turn(call: Paced, signal?: AbortSignal): Promise<() => void> {
    if (this.#closed) throw this.#closed;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const one: Waiting = { ...call, go: resolve, fail: reject };
    const queue = this.#queueOf(call.chat);
    const leave = () => {
      queue.remove(one);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    queue.add(one);
    this.#advance();
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  /**
   * Lets a chat rest that the platform refused as too fast. When several do at once, it is the bot that is, and all rest.
   * @param ms how long the platform wants to be left alone
   */
  hold(chat: ChatKey, ms: number): void {
    const now = performance.now();
    this.#queueOf(chat).heldUntil = now + ms;
    const held = [...this.#queues.values()].filter(({ heldUntil }) => heldUntil > now);
    if (held.length > 1) this.#heldUntil = Math.max(this.#heldUntil, now + ms);
  }

  /**
   * Makes a call in its turn; again after what its platform's `restAfter` lets it rest for.
   * @throws as {@link turn}; what the call throws
   */
  async run<T>(call: Omit<Paced, "since">, work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    for (let failures = 1; ; failures++) {
      const answered = await this.turn({ ...call, since });
      try {
        return await work();
      } catch (error) {
        const rest = this.#limits.restAfter?.(error, failures);
        if (!rest) throw error;
        if (rest.who === "chat") this.hold(call.chat, rest.ms);
        else this.holdAll(rest.ms);
      } finally {
        answered();
      }
    }
  }

  /**
   * Hears of a call of which it was told only later that it failed: who was too fast rests longer each time. What arrives meanwhile says
   * nothing of that, such as a reaction beside a film that does not.
   */
  failedLater(chat: ChatKey, error: unknown): void {
    const now = performance.now();
    for (const [other, { at }] of this.#failedLater)
      if (at + IN_A_ROW_MS < now) this.#failedLater.delete(other);
    const count = (this.#failedLater.get(chat)?.count ?? 0) + 1;
    const rest = this.#limits.restAfter?.(error, count);
    if (!rest) return;
    this.#failedLater.set(chat, { count, at: now });
    // Of several chats it is no sign that all were too fast: each message is told of by itself, perhaps for its person's sake.
    if (rest.who === "chat") this.#queueOf(chat).heldUntil = now + rest.ms;
    else this.holdAll(rest.ms);
  }

  /** Makes none of the calls that wait in a chat to show something: that is over. */
  drop(chat: ChatKey, shows: string): void {
    this.#queues.get(chat)?.drop(shows);
  }

  /** Lets all rest, because the platform says that they are too fast together. @param ms how long it wants to be left alone */
  holdAll(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, performance.now() + ms);
  }

  /** Gives nobody a turn any more; all who wait get the error. */
  close(error: Error): void {
    this.#closed = error;
    this.#deaf();
    clearTimeout(this.#timer);
    for (const queue of this.#queues.values()) for (const { fail } of queue.all) fail(error);
    this.#queues.clear();
  }

  #queueOf(chat: ChatKey): ChatQueue {
    let queue = this.#queues.get(chat);
    if (!queue) {
      const budgets = this.#limits.inChat(chat).map((rate) => new Budget(rate));
      queue = new ChatQueue(chat, budgets);
      this.#queues.set(chat, queue);
    }
    return queue;
  }

  /** Gives turns to all who may go now, and looks again when the next one may. */
  #advance(): void {
    if (this.#closed) return;
    const now = performance.now();
    // While there is no room at all, nobody is looked at: thousands may wait.
    let at = Math.max(this.#heldUntil, this.#overall.roomAt(now, 1, this.#ours));
    while (at <= now) {
      const [next, nextAt] = this.#pick(now);
      if (next && nextAt <= now) this.#give(next);
      else at = nextAt;
    }
    clearTimeout(this.#timer);
    if (Number.isFinite(at)) this.#timer = setTimeout(() => this.#advance(), Math.ceil(at - now));
  }

  #give(one: Waiting): void {
    const queue = this.#queueOf(one.chat);
    queue.remove(one);
    const taken = [this.#overall, ...queue.budgets].map((budget) => budget.take(one.messages));
    this.#others.tell(one.chat, one.messages);
    one.go(() => {
      const now = performance.now();
      for (const giveBack of taken) giveBack(now);
      this.#advance();
    });
  }

  /** Counts what another process sends now: of the overall rate it has its own share. */
  #noteSent(chat: ChatKey, messages: number): void {
    const now = performance.now();
    for (const budget of this.#queueOf(chat).budgets) budget.take(messages)(now);
    this.#advance();
  }

  /** Who goes next, and when: of those who may go first, the one who came first; idle ones after all others. */
  #pick(now: number): [next: Waiting | undefined, at: number] {
    let best: Waiting | undefined;
    let bestAt = Infinity;
    for (const queue of this.#queues.values()) {
      const one = queue.next;
      if (!one) {
        if (queue.isUnused(now)) this.#queues.delete(queue.chat);
        continue;
      }
      // Nobody may go before now: thousands are passed over without being asked when they may.
      if (best && bestAt <= now && !goesBefore(one, best)) continue;
      const at = this.#roomAt(queue, one, now);
      if (at < bestAt || (at === bestAt && best && goesBefore(one, best))) [best, bestAt] = [one, at];
    }
    return [best, bestAt];
  }

  #roomAt(queue: ChatQueue, one: Paced, now: number): number {
    const { messages, idle } = one;
    const share = idle === undefined ? 1 : IDLE_SHARE;
    const overall = this.#overall.roomAt(now, messages, Math.ceil(this.#ours * share));
    let at = Math.max(this.#heldUntil, queue.heldUntil, overall);
    for (const budget of queue.budgets)
      at = Math.max(at, budget.roomAt(now, messages, this.#mostOf(budget, one)));
    return at;
  }

  /** How much of a chat's rate a call may use. */
  #mostOf({ most }: Budget, { idle, isFirst = false }: Pick<Paced, "idle" | "isFirst">): number {
    const kept = isFirst ? 0 : (this.#limits.keptForFirst ?? 0);
    return Math.ceil(most * (idle === undefined ? 1 - kept : IDLE_SHARE));
  }

  /** How many of all are this process's; one of any number of them can always say something. */
  get #ours(): number {
    return Math.max(1, Math.floor(this.#overall.most * this.#others.share));
  }
}

function goesBefore(a: Paced, b: Paced): boolean {
  if ((a.idle === undefined) !== (b.idle === undefined)) return a.idle === undefined;
  return a.since < b.since;
}
