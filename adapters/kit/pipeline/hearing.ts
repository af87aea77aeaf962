import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { Role } from "../../../src/common/role.ts";
import { Dispatcher, type DispatcherParts } from "./dispatcher.ts";
import type { Inbox } from "./inbox.ts";
import { keepForOther, takeUpFromOthers } from "./others.ts";

interface HearingParts<Update, Context> {
  /** The surface's name. */
  readonly name: string;
  readonly host: Pick<SurfaceHost, "bell" | "log">;
  readonly role: Role;
  readonly inbox: Inbox<Update>;
  readonly dispatching: Omit<DispatcherParts<Update, Context>, "log" | "inbox" | "isOurs">;
}

/**
 * Deals with what a platform calls a webhook with: of several processes that share a database, one does, in everybody's order, and another
 * goes on where it ends. What another process is called with, that one puts on disk and tells it.
 */
export class WebhookHearing<Update, Context> {
  readonly #parts: HearingParts<Update, Context>;
  #dispatcher: Dispatcher<Update, Context> | undefined;
  #isOpen = false;
  #quiet = () => {};

  constructor(parts: HearingParts<Update, Context>) {
    this.#parts = parts;
  }

  /** Whether what arrives is taken in. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Begins, or leaves it to whoever does already. */
  async start(): Promise<void> {
    await this.#parts.role.play({ begin: () => this.#begin(), end: () => this.#end() });
    this.#isOpen = true;
  }

  /** Takes updates in: when it returns they are on disk. Undefined while nobody does. */
  get taker(): ((updates: readonly Update[]) => Promise<void>) | undefined {
    return this.#isOpen ? (updates) => this.#take(updates) : undefined;
  }

  async #take(updates: readonly Update[]): Promise<void> {
    const { host, inbox, name, role } = this.#parts;
    // One that stood still may not know yet that another deals with them.
    if (this.#dispatcher && role.isOurs) return this.#dispatcher.take(updates);
    await keepForOther(name, host.bell, inbox, updates);
  }

  /** Ends in bounded time. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    await this.#parts.role.leave();
  }

  async #begin(): Promise<void> {
    const { name, host, role, inbox, dispatching } = this.#parts;
    const isOurs = host.bell.isShared && { isOurs: () => role.isOurs };
    const dispatcher = new Dispatcher({ ...dispatching, log: host.log, inbox, ...isOurs });
    this.#dispatcher = dispatcher;
    await dispatcher.open();
    if (host.bell.isShared) this.#quiet = takeUpFromOthers(name, host, dispatcher);
  }

  async #end(): Promise<void> {
    this.#quiet();
    const dispatcher = this.#dispatcher;
    this.#dispatcher = undefined;
    await dispatcher?.stop();
  }
}
