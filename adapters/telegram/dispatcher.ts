import type { Update } from "telegraf/types";
import type { Memory } from "../../src/common/memory.ts";
import { contextOf } from "../kit/pipeline/context.ts";
import { Dispatcher } from "../kit/pipeline/dispatcher.ts";
import { Inbox } from "../kit/pipeline/inbox.ts";
import { meaningOf } from "./api/errors.ts";
import type { Moves } from "./api/moves.ts";
import { addressOf } from "./context/address.ts";
import type { Handler, Services, UpdateContext } from "./context/context.ts";
import { originOf, senderOf } from "./context/origin.ts";
import { albumOf } from "./context/albums.ts";
import { Sequence } from "./sequence.ts";

/** Takes updates in: when it returns they are on disk. */
export interface Taker {
  /** Takes in some, in their order. */
  take(updates: readonly Update[]): Promise<void>;
  /** Takes in one that came by itself, and may have overtaken others. */
  takeApart(update: Update): Promise<void>;
}

/** How updates are handled. */
export interface UpdateHandling {
  readonly handlers: readonly Handler[];
  /** Answers a press before its turn, where it can be told then what its answer is. */
  readonly answerAtOnce: (context: UpdateContext) => Promise<void>;
}

/** How long Telegram may hand on an update again, in milliseconds (API, getUpdates: it keeps them for 24 hours). */
const REPEATED_MS = 24 * 3_600_000;

/** Updates on disk until they are dealt with. */
export const inboxIn = (memory: Memory): Inbox<Update> =>
  new Inbox({ memory, nameOf, repeatedMs: REPEATED_MS });

/** How an update is told apart. */
const nameOf = ({ update_id: id }: Update) => String(id).padStart(16, "0");

/** Leads updates to their handlers, in the order of their ids where they came by themselves. */
export class UpdateDispatcher extends Dispatcher<Update, UpdateContext> implements Taker {
  readonly #sequence = new Sequence((update) => void this.add(update));

  /**
   * @param inbox holds updates from before Telegram hears that they arrived
   * @param isOurs whether this process may deal with them, where several share that
   */
  constructor(
    services: Services,
    inbox: Inbox<Update>,
    moves: Moves,
    { handlers, answerAtOnce }: UpdateHandling,
    isOurs?: () => boolean,
  ) {
    const contextFor = async (update: Update) => {
      const origin = await originOf(update, services.intake);
      return origin && { ...contextOf(services, origin, addressOf(origin.address).locale), update };
    };
    const answerPress = async (update: Update) => {
      const context = "callback_query" in update ? await contextFor(update) : undefined;
      if (context) await answerAtOnce(context);
    };
    super({
      log: services.host.log,
      inbox,
      ...(isOurs && { isOurs }),
      handlers,
      senderOf,
      // A press is answered whatever its turn waits for; the next updates do not wait for that.
      accept: async (update) => {
        // It counts before its turn: an album waits for those of its parts that are here, however long they queue.
        const album = albumOf(update);
        if (album) services.albums.begin(album);
        const answered = answerPress(update).catch((err: unknown) => {
          services.host.log.warn({ err }, "A press was not answered at once");
        });
        return async () => {
          await answered;
          await moves.hear(update);
          // Who speaks which language may change with the update before.
          return contextFor(update);
        };
      },
      left: (update) => {
        const album = albumOf(update);
        if (album) services.albums.end(album);
      },
      levelOf,
    });
  }

  /** Waits for nothing but the disk; it is its turn after those before it. */
  async takeApart(update: Update): Promise<void> {
    for (const fresh of await this.keep([update])) this.#sequence.add(fresh);
  }

  override async stop(graceMs?: number): Promise<void> {
    this.#sequence.stop();
    await super.stop(graceMs);
  }
}

/** That people block the bot is no failure; what Telegram does not take is none of ours. */
function levelOf(error: unknown): "info" | "warn" | "error" {
  const meaning = meaningOf(error);
  if (meaning === undefined) return "error";
  return meaning === "unreachable" ? "info" : "warn";
}
