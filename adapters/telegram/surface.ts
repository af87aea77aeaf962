import type { SurfaceHost } from "../../src/chat/host.ts";
import type { Intake, Surface } from "../../src/chat/surface.ts";
import { atMost } from "../../src/time.ts";
import { addressOf, receiptOf } from "./context/address.ts";
import { silence } from "./context/addressed.ts";
import { resumeAlbums } from "./handlers/album.ts";
import { Bot } from "./bot.ts";
import { BotApi } from "./api/client.ts";
import { wordHandlers } from "./handlers/words.ts";
import { lastWord } from "./handlers/last-used.ts";
import type { Handler, Services } from "./context/context.ts";
import { draftHandlers } from "./handlers/draft.ts";
import { forgetDrafts } from "./drafts/store.ts";
import { expire } from "./expire.ts";
import { collect } from "./drafts/form.ts";
import { withoutKeys } from "./handlers/keys.ts";
import { TELEGRAM } from "./api/limits.ts";
import { openMedia } from "./media/media.ts";
import { Moves } from "./api/moves.ts";
import { Pace, type PaceLimits } from "./api/pace.ts";
import { post, replace, showsResult } from "./messages/post.ts";
import { publish } from "./publish.ts";
import { reach } from "./context/reach.ts";
import { inboxIn, UpdateDispatcher } from "./dispatcher.ts";
import { forgetResults } from "./messages/results-memory.ts";
import { TelegrafSender } from "./api/telegraf-sender.ts";

/**
 * The least time between two edits of a job's message, in milliseconds. Half of the 30 calls a second are for such
 * edits: 45 people see theirs move that often, more of them less often.
 */
const EDIT_INTERVAL_MS = 3_000;

/** How long the start waits for Telegram before it goes on without, in milliseconds. */
const CONNECT_MS = 10_000;

/** How long the stop waits: for those who are being dealt with, then for Telegram's last answers, in milliseconds. */
const GRACE_MS = { contexts: 3_000, calls: 2_000 } as const;

const HANDLERS: readonly Handler[] = [withoutKeys([silence, ...wordHandlers, ...draftHandlers, lastWord])];

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
  const sender = new TelegrafSender(api, new Pace(pace), moves);
  const bot = new Bot({ api, config, telegram, log, routes });
  const stop = new AbortController();
  let opened: { readonly services: Services; readonly dispatcher: UpdateDispatcher } | undefined;

  const services = () => {
    if (!opened) throw new Error("Telegram was not reached yet.");
    return opened.services;
  };

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
    const dispatcher = new UpdateDispatcher({
      services,
      inbox: inboxIn(host.sealed("telegram")),
      moves,
      handlers: HANDLERS,
    });
    opened = { services, dispatcher };
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

    async start(intake) {
      const opening = open(intake);
      if (await atMost(CONNECT_MS, opening)) return;
      // The other platforms are there without it; it is tried on.
      opening.catch((err: unknown) => {
        if (!stop.signal.aborted) log.error({ err }, "Telegram could not be started");
      });
    },

    deliver: async (to, view) => post(services(), addressOf(to), view, stop.signal),

    async revise(receipt, view) {
      const shown = receiptOf(receipt);
      if (view.kind !== "progress") return replace(services(), shown, view, stop.signal);
      // A process that was killed had posted the result, and did not come to writing that down.
      if (showsResult(shown)) return receipt;
      // Nobody waits for an edit that shows how far a job is, least of all its result.
      replace(services(), shown, view).catch((err: unknown) => {
        log.debug({ err }, "A job's progress was not shown");
      });
      return receipt;
    },

    collect: async (to, form) => collect(services(), addressOf(to), form),
    openMedia: (ref) => openMedia({ api, sender, files }, ref),

    async forget(user) {
      await forgetDrafts({ host, memory }, user);
      await forgetResults(memory, user);
    },

    expire: async (before) => expire(services(), before),
    reach: async (whom) => reach(services(), whom),

    ready: () => bot.ready,

    async stop() {
      stop.abort();
      await bot.stop();
      if (opened) await opened.dispatcher.stop(GRACE_MS.contexts);
      await sender.stop(GRACE_MS.calls);
    },
  };
}
