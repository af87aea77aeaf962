import type { Update } from "telegraf/types";
import { dispatch } from "../../src/chat/handler.ts";
import { Inbox } from "../../src/chat/inbox.ts";
import type { Memory } from "../../src/chat/surface.ts";
import { Turns } from "../../src/chat/turns.ts";
import { atMost } from "../../src/time.ts";
import { translator } from "../../src/i18n.ts";
import { addressOf } from "./context/address.ts";
import type { Handler, Services } from "./context/context.ts";
import { meaningOf } from "./api/errors.ts";
import type { Moves } from "./api/moves.ts";
import { originOf, turnOf } from "./context/origin.ts";
import { Sequence } from "./sequence.ts";

/** How many people are dealt with at once: each may wait for Telegram and for the service. */
const AT_ONCE = 100;

/** Takes updates in: when it returns they are on disk. */
export interface Taker {
  /** Takes in some, in their order. */
  take(updates: readonly Update[]): Promise<void>;
  /** Takes in one that came by itself, and may have overtaken others. */
  takeApart(update: Update): Promise<void>;
}

/** How long Telegram may hand on an update again, in milliseconds (API, getUpdates: it keeps them for 24 hours). */
const REPEATED_MS = 24 * 3_600_000;

const nameOf = ({ update_id: id }: Update) => String(id).padStart(16, "0");

/** Updates on disk, from before Telegram hears that they arrived. */
export function inboxIn(memory: Memory): Inbox<Update> {
  return new Inbox({ memory, nameOf, repeatedMs: REPEATED_MS });
}

/** What a dispatcher works with. */
interface DispatcherParts {
  readonly services: Services;
  readonly inbox: Inbox<Update>;
  readonly moves: Moves;
  readonly handlers: readonly Handler[];
}

/** Takes updates in and leads each to the handler that deals with it, in the order of each person. */
export class UpdateDispatcher implements Taker {
  readonly #parts: DispatcherParts;
  readonly #turns = new Turns(AT_ONCE);
  readonly #sequence = new Sequence((update) => this.#lineUp(update));
  #closed = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Takes up what an earlier process did not come to. */
  async open(): Promise<void> {
    for (const update of await this.#parts.inbox.left()) this.#lineUp(update);
  }

  /** Waits for nothing but the disk. */
  async take(updates: readonly Update[]): Promise<void> {
    for (const update of await this.#parts.inbox.keep(updates)) this.#lineUp(update);
  }

  /** Waits for nothing but the disk; it is its turn after those before it. */
  async takeApart(update: Update): Promise<void> {
    for (const one of await this.#parts.inbox.keep([update])) this.#sequence.add(one);
  }

  /**
   * Begins with nobody more, and waits for those who are being dealt with. What fails after that stays in the
   * inbox for the next start.
   * @param graceMs how long it waits at most, in milliseconds
   */
  async stop(graceMs: number): Promise<void> {
    this.#sequence.stop();
    await atMost(graceMs, this.#turns.stop());
    this.#closed = true;
  }

  #lineUp(update: Update): void {
    this.#turns.add(turnOf(update), () => this.#dealWith(update));
  }

  async #dealWith(update: Update): Promise<void> {
    const { services, inbox } = this.#parts;
    const { log } = services.host;
    try {
      await this.#dispatch(update);
    } catch (err) {
      if (this.#closed) return;
      const level = meaningOf(err) === "unreachable" ? "info" : "error";
      log[level]({ err, update: update.update_id }, "An update could not be dealt with");
    }
    await inbox.done(update).catch((err: unknown) => log.error({ err }, "The inbox could not be written"));
  }

  async #dispatch(update: Update): Promise<void> {
    const { services, moves, handlers } = this.#parts;
    await moves.hear(update);
    const origin = await originOf(update, services.intake);
    if (!origin) return;
    const say = translator(addressOf(origin.address).locale);
    await dispatch({ ...services, update, origin, say }, handlers);
  }
}
