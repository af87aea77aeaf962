import type { Update } from "telegraf/types";
import type { Role } from "../../src/common/role.ts";
import type { Inbox } from "../kit/pipeline/inbox.ts";
import type { Moves } from "./api/moves.ts";
import type { Bot } from "./bot.ts";
import type { Services } from "./context/context.ts";
import { inboxIn, nameOf, UpdateDispatcher, type Taker, type UpdateHandling } from "./dispatcher.ts";
import { resumeAlbums } from "./handlers/album.ts";

/** How often what other processes took in is looked for, in milliseconds, should they have been missed when they said so. */
const LOOK_MS = 300_000;

interface HearingParts {
  readonly services: Services;
  readonly moves: Moves;
  readonly bot: Bot;
  readonly role: Role;
  readonly handling: UpdateHandling;
}

/**
 * Hears what Telegram tells and deals with it: of several processes that share a database, one does both, in everybody's order, and another
 * goes on where it ends. What Telegram calls another one with by a webhook, that one puts on disk and tells it.
 */
export class Hearing {
  readonly #parts: HearingParts;
  readonly #inbox: Inbox<Update>;
  readonly #isShared: boolean;
  #dispatcher: UpdateDispatcher | undefined;
  #quiet = () => {};

  constructor(parts: HearingParts) {
    this.#parts = parts;
    const { host } = parts.services;
    this.#isShared = host.bell.isShared;
    this.#inbox = inboxIn(host.sealed("telegram"), this.#isShared);
  }

  /** Begins, or leaves it to whoever does already. */
  async start(): Promise<void> {
    const { bot, role } = this.#parts;
    if (this.#isShared && this.#parts.services.host.config.telegram?.webhook) bot.listen(this.#forOthers());
    await role.play({ begin: () => this.#begin(), end: () => this.#end() });
  }

  /** Ends in bounded time. */
  async stop(): Promise<void> {
    await this.#parts.role.leave();
  }

  async #begin(): Promise<void> {
    const { services, moves, bot, role, handling } = this.#parts;
    const isOurs = this.#isShared ? () => role.isOurs : undefined;
    const dispatcher = new UpdateDispatcher(services, this.#inbox, moves, handling, isOurs);
    this.#dispatcher = dispatcher;
    await dispatcher.open();
    await resumeAlbums(services);
    this.#hearOthers(dispatcher);
    bot.listen(isOurs ? whileOurs(dispatcher, isOurs) : dispatcher);
  }

  async #end(): Promise<void> {
    const { bot, services } = this.#parts;
    this.#quiet();
    if (this.#isShared) {
      if (services.host.config.telegram?.webhook) bot.listen(this.#forOthers());
      await bot.rest();
    }
    await this.#dispatcher?.stop();
  }

  /** For whoever does not deal with updates: puts them on disk, and says so. */
  #forOthers(): Taker {
    const { bell } = this.#parts.services.host;
    const keep = async (updates: readonly Update[]) => {
      for (const fresh of await this.#inbox.keep(updates)) bell.ring("arrived", `telegram ${nameOf(fresh)}`);
    };
    return { take: keep, takeApart: (update) => keep([update]) };
  }

  #hearOthers(dispatcher: UpdateDispatcher): void {
    const { bell, config, log } = this.#parts.services.host;
    // Where it is asked for, Telegram tells again what somebody took in and did not come to.
    if (!this.#isShared || !config.telegram?.webhook) return;
    const look = (looking: Promise<void>) =>
      void looking.catch((err: unknown) => log.warn({ err }, "The inbox could not be read"));
    const deaf = bell.on("arrived", (key) => {
      const [surface, name] = key?.split(" ") ?? [];
      if (surface === "telegram" && name !== undefined) look(dispatcher.takeUp(name));
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

/** Takes nothing in once it is somebody else's: Telegram tells them the same. */
function whileOurs(taker: Taker, isOurs: () => boolean): Taker {
  const check = () => {
    if (!isOurs()) throw new Error("Another process hears Telegram now");
  };
  return {
    async take(updates) {
      check();
      await taker.take(updates);
    },
    takeApart: (update) => taker.takeApart(update),
  };
}
