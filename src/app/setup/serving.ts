import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { type Environment, unfit } from "./effective.ts";
import { type Resolved, resolve } from "./resolve.ts";

/** What serves, and can be stopped. */
interface Stoppable {
  stop(): Promise<void>;
}

/**
 * A server that is opened anew with other settings while the process lives: what is under way goes on as after a restart, so that no
 * part needs a way of its own to change.
 */
export class Serving {
  readonly #open: () => Promise<Stoppable>;
  readonly #log: Pick<Logger, "info">;
  #current: Stoppable | undefined;
  /** One after the other. */
  #turn: Promise<void> = Promise.resolve();
  #isAsked = false;
  #isOver = false;
  readonly #failed = Promise.withResolvers<never>();

  constructor(open: () => Promise<Stoppable>, log: Pick<Logger, "info">) {
    this.#open = open;
    this.#log = log;
    this.#failed.promise.catch(() => undefined);
  }

  /** Rejects when it could not be opened anew: nothing serves any more. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** Opens it for the first time. */
  async start(): Promise<void> {
    this.#current = await this.#open();
  }

  /** Opens it anew, soon; asked for several times before it begins, it does so once. */
  reopen(): void {
    if (this.#isAsked || this.#isOver) return;
    this.#isAsked = true;
    this.#turn = this.#turn.then(() => this.#anew());
  }

  /** Stops it, for good. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#turn;
    await this.#current?.stop();
  }

  async #anew(): Promise<void> {
    this.#isAsked = false;
    if (this.#isOver) return;
    const before = this.#current;
    this.#current = undefined;
    try {
      await before?.stop();
      this.#current = await this.#open();
      this.#log.info({}, "The settings that were changed are in force");
    } catch (error) {
      this.#isOver = true;
      this.#failed.reject(error);
    }
  }
}

/**
 * Opens something with the settings that are in force. What is stored and keeps it from being opened, such as a token that its platform
 * knows no more, is left out: whoever set it in the browser finds the browser's page again.
 */
export async function openAnyhow<T>(
  env: Environment,
  log: Pick<Logger, "error">,
  open: (running: Resolved) => Promise<T>,
): Promise<T> {
  let running = await resolve(env);
  for (;;) {
    try {
      return await open(running);
    } catch (error) {
      const found = unfit(error, running.used);
      if (found.length === 0) throw error;
      const settings = found.map(({ setting }) => setting);
      log.error(
        { err: error, settings },
        "Settings of the page /setup are left out: they do not fit any more",
      );
      running = await resolve(env, [...running.unused, ...found]);
    }
  }
}
