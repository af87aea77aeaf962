import { PRESSED, type SharedMemory } from "../../../src/common/memory.ts";
import { atMost, currentTime } from "../../../src/common/time.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { RunnerWatch } from "../../../src/seam/surface/surface.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { Unfinished } from "./arrived.ts";

/** The longest wait for what comes of a press, in milliseconds: proxies in between give an answer up after a minute, some after 30 s. */
const ANSWERED_MS = 20_000;

/** A press on what takes something away for good, until whoever pressed was told what came of it. */
interface Press {
  readonly name: string;
  readonly origin: Origin;
  readonly token: string;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/** What presses need of those who know what buttons do. */
interface PressRules {
  /** Whether a button takes something away for good. */
  readonly isForGood: (token: string) => boolean;
  /** Presses it, and says what came of that. */
  readonly press: (origin: Origin, token: string) => Promise<void>;
  /** The processes that share what is kept, once the core is there. */
  readonly runners: () => RunnerWatch;
  /** Hears why one came to no end that nobody waits for. */
  readonly failed: (error: unknown) => void;
}

/**
 * Presses of buttons. One that takes something away for good may take long, and is on disk until it is answered: where the process
 * ends in the middle, the next goes on with it. What was gone by then is gone, and what came after the press stays.
 */
export class Presses {
  readonly #kept: Unfinished<Press>;
  readonly #rules: PressRules;
  /** The names of those that this process carries out. */
  readonly #underWay = new Set<string>();
  readonly #answeredMs: number;

  /** @param answeredMs the longest wait of {@link begin}, in milliseconds */
  constructor(memory: SharedMemory, rules: PressRules, answeredMs = ANSWERED_MS) {
    this.#kept = new Unfinished(memory, PRESSED, ({ name }) => name, rules.runners);
    this.#rules = rules;
    this.#answeredMs = answeredMs;
  }

  /** Presses a button, and waits until it is known what came of it. */
  async press(origin: Origin, token: string): Promise<void> {
    const { isForGood, press } = this.#rules;
    if (!isForGood(token)) return press(origin, token);
    const one = { name: crypto.randomUUID(), origin, token, at: currentTime() };
    await this.#kept.keep(one);
    await this.#carryOut(one, origin);
  }

  /** As {@link press}, but it does not wait for long: what comes of it is said in the conversation. */
  async begin(origin: Origin, token: string): Promise<void> {
    const end = this.press(origin, token);
    if (!(await atMost(this.#answeredMs, end))) end.catch(this.#rules.failed);
  }

  /** Takes over what processes that are gone did not come to an end with. */
  takeOver(): Promise<readonly Press[]> {
    return this.#kept.takeOver();
  }

  /** Goes on with what was taken over, everybody's own in its order. */
  async goOn(left: readonly Press[]): Promise<void> {
    const inOrder = left.toSorted((a, b) => a.at - b.at);
    const each = Map.groupBy(inOrder, ({ origin }) => origin.user).values();
    await Promise.all([...each].map((theirs) => this.#goOnWith(theirs).catch(this.#rules.failed)));
  }

  /** Erases what somebody pressed, but what is being carried out here: that may be what erases it, and goes with its end. */
  forget(user: UserId): Promise<void> {
    return this.#kept.forget(user, ({ name }) => this.#underWay.has(name));
  }

  async #goOnWith(theirs: readonly Press[]): Promise<void> {
    const done = new Set<string>();
    for (const one of theirs) {
      // One before it may have erased it, or done what it is for: somebody pressed twice.
      if (done.has(one.token)) await this.#kept.done(one);
      else if (await this.#kept.isLeft(one)) await this.#carryOut(one, { ...one.origin, pressedAt: one.at });
      done.add(one.token);
    }
  }

  /** What fails beyond what people can be told stays for the next start. */
  async #carryOut(one: Press, origin: Origin): Promise<void> {
    this.#underWay.add(one.name);
    try {
      await this.#rules.press(origin, one.token);
      await this.#kept.done(one);
    } finally {
      this.#underWay.delete(one.name);
    }
  }
}
