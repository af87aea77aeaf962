import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { Role } from "../../../src/common/role.ts";
import { Dispatcher, type DispatcherParts } from "./dispatcher.ts";
import type { Inbox } from "./inbox.ts";

/** How often what other processes took in is looked for, in milliseconds, should they have been missed when they said so. */
const LOOK_MS = 300_000;

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
    const { host, inbox, name } = this.#parts;
    if (this.#dispatcher) return this.#dispatcher.take(updates);
    for (const fresh of await inbox.keep(updates))
      host.bell.ring("arrived", `${name} ${inbox.nameOf(fresh)}`);
  }

  /** Ends in bounded time. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    await this.#parts.role.leave();
  }

  async #begin(): Promise<void> {
    const { host, role, inbox, dispatching } = this.#parts;
    const isOurs = host.bell.isShared && { isOurs: () => role.isOurs };
    const dispatcher = new Dispatcher({ ...dispatching, log: host.log, inbox, ...isOurs });
    this.#dispatcher = dispatcher;
    await dispatcher.open();
    if (host.bell.isShared) this.#hearOthers(dispatcher);
  }

  async #end(): Promise<void> {
    this.#quiet();
    const dispatcher = this.#dispatcher;
    this.#dispatcher = undefined;
    await dispatcher?.stop();
  }

  #hearOthers(dispatcher: Dispatcher<Update, Context>): void {
    const { host, name } = this.#parts;
    const look = (looking: Promise<void>) =>
      void looking.catch((err: unknown) => host.log.warn({ err }, "The inbox could not be read"));
    const deaf = host.bell.on("arrived", (key) => {
      const [surface, update] = key?.split(" ") ?? [];
      if (surface === name && update !== undefined) look(dispatcher.takeUp(update));
      else if (key === undefined) look(dispatcher.open());
    });
    const timer = setInterval(() => look(dispatcher.open()), LOOK_MS);
    timer.unref();
    this.#quiet = () => {
      deaf();
      clearInterval(timer);
    };
  }
}
