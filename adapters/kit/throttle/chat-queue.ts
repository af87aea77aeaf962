import type { Budget } from "./budget.ts";

/** What a platform calls a chat. */
export type ChatKey = string | number;

/** A call that was not made: something newer is said about the same. */
export class Superseded extends Error {
  override readonly name = "Superseded";
  constructor() {
    super("Something newer is said about the same message.");
  }
}

/** A call that is to be made in a chat. */
export interface Paced {
  readonly chat: ChatKey;
  /** How many messages it posts or edits. */
  readonly messages: number;
  /** When it was asked for: who came first goes first, also after a refusal. */
  readonly since: number;
  /** It goes before whatever else waits in its chat, and may use what of the chat's rate is kept for such. */
  readonly isFirst?: boolean | undefined;
  /** Nobody waits for it; a newer one of the same name replaces it. */
  readonly idle?: string | undefined;
  /** The message that it changes: any later call about that message makes an idle one pointless. */
  readonly message?: string | undefined;
  /** What it shows the state of, where somebody waits for that: a newer one that shows the same replaces it. */
  readonly shows?: string | undefined;
}

/** A call in line: hears of its turn with what is to be called when the answer is there. */
export interface Waiting extends Paced {
  readonly go: (answered: () => void) => void;
  readonly fail: (error: unknown) => void;
}

/** What waits for one chat. */
export class ChatQueue {
  readonly chat: ChatKey;
  readonly budgets: readonly Budget[];
  heldUntil = 0;
  #waiting: Waiting[] = [];
  #idle: Waiting[] = [];

  constructor(chat: ChatKey, budgets: readonly Budget[]) {
    this.chat = chat;
    this.budgets = budgets;
  }

  add(one: Waiting): void {
    const { idle, message, shows } = one;
    const isOfSame = (other: Waiting) => shows !== undefined && other.shows === shows;
    // What is tried again may be older than what came meanwhile.
    if (this.#waiting.some((other) => isOfSame(other) && other.since > one.since))
      return one.fail(new Superseded());
    const isPointless = (other: Waiting) =>
      (idle !== undefined && other.idle === idle) || (message !== undefined && other.message === message);
    this.#supersede([...this.#idle.filter(isPointless), ...this.#waiting.filter(isOfSame)]);
    if (idle !== undefined) this.#idle.push(one);
    else {
      const place = this.#waiting.findLastIndex((other) => !isBefore(one, other)) + 1;
      this.#waiting.splice(place, 0, one);
    }
  }

  remove(one: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== one);
    this.#idle = this.#idle.filter((other) => other !== one);
  }

  /** Makes none of the calls that show something. */
  drop(shows: string): void {
    this.#supersede(this.#waiting.filter((other) => other.shows === shows));
  }

  #supersede(old: readonly Waiting[]): void {
    for (const one of old) {
      this.remove(one);
      one.fail(new Superseded());
    }
  }

  /** Who goes next here; nobody waits behind an idle call. */
  get next(): Waiting | undefined {
    return this.#waiting[0] ?? this.#idle[0];
  }

  get all(): readonly Waiting[] {
    return [...this.#waiting, ...this.#idle];
  }

  /** Whether nothing is left of it to be remembered. */
  isUnused(now: number): boolean {
    return !this.next && this.heldUntil <= now && this.budgets.every((budget) => budget.isUnused(now));
  }
}

/** Whether somebody in line goes before another of the same chat. */
function isBefore(one: Paced, other: Paced): boolean {
  const [first, second] = [one.isFirst === true, other.isFirst === true];
  return first === second ? one.since < other.since : first;
}
