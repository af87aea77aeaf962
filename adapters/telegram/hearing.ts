import type { Update } from "telegraf/types";
import type { Role } from "../../src/common/role.ts";
import type { Inbox } from "../kit/pipeline/inbox.ts";
import { keepForOther, takeUpFromOthers } from "../kit/pipeline/others.ts";
import type { Moves } from "./api/moves.ts";
import type { Bot } from "./bot.ts";
import type { Services } from "./context/context.ts";
import { inboxIn, UpdateDispatcher, type Taker, type UpdateHandling } from "./dispatcher.ts";
import { resumeAlbums } from "./handlers/album.ts";

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
  /** Whether Telegram calls any process that shares the database. */
  readonly #takesForOthers: boolean;
  #dispatcher: UpdateDispatcher | undefined;
  #quiet = () => {};

  constructor(parts: HearingParts) {
    this.#parts = parts;
    const { host } = parts.services;
    this.#isShared = host.bell.isShared;
    this.#takesForOthers = this.#isShared && host.config.telegram?.webhook === true;
    this.#inbox = inboxIn(host.sealed("telegram"));
  }

  /** Begins, or leaves it to whoever does already. */
  async start(): Promise<void> {
    const { bot, role } = this.#parts;
    if (this.#takesForOthers) bot.listen(this.#forOthers());
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
    // Where it is asked for, Telegram tells again what somebody took in and did not come to.
    if (this.#takesForOthers) this.#quiet = takeUpFromOthers("telegram", services.host, dispatcher);
    bot.listen(isOurs ? whileOurs(dispatcher, isOurs) : dispatcher);
  }

  async #end(): Promise<void> {
    const { bot } = this.#parts;
    this.#quiet();
    if (this.#takesForOthers) bot.listen(this.#forOthers());
    if (this.#isShared) await bot.rest();
    await this.#dispatcher?.stop();
  }

  /** For whoever does not deal with updates: puts them on disk, and says so. */
  #forOthers(): Taker {
    const { bell } = this.#parts.services.host;
    const keep = (updates: readonly Update[]) => keepForOther("telegram", bell, this.#inbox, updates);
    return { take: keep, takeApart: (update) => keep([update]) };
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
