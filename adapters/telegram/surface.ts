import type { Update } from "telegraf/types";
import type { SurfaceHost } from "../../src/chat/host.ts";
import { Throttler } from "../kit/throttle/throttler.ts";
import type { Intake, Surface } from "../../src/chat/surface.ts";
import type { Dispatcher } from "../kit/pipeline/dispatcher.ts";
import { Opening } from "../kit/pipeline/opening.ts";
import { addressOf, receiptOf } from "./context/address.ts";
import { silence } from "./context/addressed.ts";
import { resumeAlbums } from "./handlers/album.ts";
import { Bot } from "./bot.ts";
import { BotApi } from "./api/client.ts";
import { wordHandlers } from "./handlers/words.ts";
import { lastWord } from "./handlers/last-word.ts";
import type { Handler, Services, UpdateContext } from "./context/context.ts";
import { draftHandlers } from "./handlers/draft.ts";
import { forgetFiles } from "../../src/chat/kept-files.ts";
import { DraftStore } from "../kit/drafts/store.ts";
import { drafts } from "./drafts/messages.ts";
import { expire } from "./expire.ts";
import { keysHandler } from "./handlers/keys.ts";
import { type PaceLimits, TELEGRAM, throttlerLimits } from "./api/limits.ts";
import { forgetAlbums } from "./media/album.ts";
import { openMedia } from "./media/media.ts";
import { chatContext, reach } from "./context/chat-context.ts";
import { Moves } from "./api/moves.ts";
import { post, replace } from "./messages/post.ts";
import { publish } from "./publish.ts";
import { UpdateDispatcher } from "./dispatcher.ts";
import { deliveriesIn } from "./messages/results-memory.ts";
import { TelegrafSender } from "./api/telegraf-sender.ts";

/**
 * The least time between two edits of a job's message, in milliseconds. Half of the 30 calls a second are for such
 * edits: 45 people see theirs move that often, more of them less often.
 */
const EDIT_INTERVAL_MS = 3_000;

/** How long the stop waits: for those who are being dealt with, then for Telegram's last answers, in milliseconds. */
const GRACE_MS = { contexts: 3_000, calls: 2_000 } as const;

const HANDLERS: readonly Handler[] = [keysHandler([silence, ...wordHandlers, ...draftHandlers, lastWord])];

/** What is there once Telegram was reached. */
interface Opened {
  readonly services: Services;
  readonly dispatcher: Dispatcher<Update, UpdateContext>;
}

/**
 * Telegram, by one bot.
 * @param pace how fast messages may follow each other; slower or faster only where the limits are
 */
export function createTelegramSurface(host: SurfaceHost, pace: PaceLimits = TELEGRAM): Surface {
  const { config, files, log, routes } = host;
  const { telegram } = config;
  if (!telegram) throw new Error("There is no token for Telegram.");
  const memory = host.memory("telegram");
  const api = new BotApi(telegram);
  const moves = new Moves(memory);
  const sender = new TelegrafSender(api, new Throttler(throttlerLimits(pace)), moves);
  const bot = new Bot({ api, config, telegram, log, routes });
  const stop = new AbortController();
  const opening = new Opening<Opened>("Telegram", log, stop.signal);
  const services = () => opening.now.services;

  async function open(intake: Intake): Promise<void> {
    const username = await bot.connect();
    const services: Services = {
      host,
      sender,
      memory,
      intake,
      username,
      presses: new Set(),
      openMedia: (ref) => openMedia({ api, sender, files }, ref),
    };
    const dispatcher = new UpdateDispatcher(services, host.sealed("telegram"), moves, HANDLERS);
    opening.reached = { services, dispatcher };
    await dispatcher.open();
    await resumeAlbums(services);
    bot.listen(dispatcher);
    publish(services).catch((err: unknown) => log.warn({ err }, "The bot's menu could not be published"));
  }

  return {
    name: "telegram",
    limits: {
      maxUploadBytes: telegram.apiRoot === undefined ? TELEGRAM.upload : TELEGRAM.local,
      editIntervalMs: EDIT_INTERVAL_MS,
    },

    start: (intake) => opening.start(() => open(intake)),

    deliver: async (to, view) => post(services(), addressOf(to), view, stop.signal),

    revise: async (receipt, view) => replace(services(), receiptOf(receipt), view, stop.signal),

    // It is its asker's own: in private the chat's, in a group the address's.
    async collect(to, form) {
      const address = addressOf(to);
      const context = chatContext(services(), `telegram:${address.user ?? address.chat}`, address);
      await drafts.collect(context, form);
    },

    openMedia: (ref) => openMedia({ api, sender, files }, ref),

    async forget(user) {
      await new DraftStore(memory).forget(user);
      await forgetAlbums(memory, user);
      await forgetFiles(memory, files, user);
      await deliveriesIn(memory).forget(user);
    },

    expire: async (before) => expire(services(), before),
    reach: async (whom) => reach(services().intake, whom),

    ready: () => bot.ready,

    async stop() {
      stop.abort();
      await bot.stop();
      await opening.reached?.dispatcher.stop(GRACE_MS.contexts);
      await sender.stop(GRACE_MS.calls);
    },
  };
}
