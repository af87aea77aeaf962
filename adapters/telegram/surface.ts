import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import type { MediaRef } from "../../src/seam/values.ts";
import { createChatSurface } from "../kit/surface.ts";
import { othersOver } from "../kit/throttle/others.ts";
import { Throttler } from "../kit/throttle/throttler.ts";
import type { Surface } from "../../src/seam/surface/surface.ts";
import {
  addressOf,
  receiptOf,
  type TelegramAddress,
  type TelegramReceipt,
  unnamed,
} from "./context/address.ts";
import { silence } from "./context/addressed.ts";
import { besideHandler } from "./handlers/reply-words.ts";
import { Bot } from "./bot.ts";
import { BotApi } from "./api/client.ts";
import { meaningOf } from "./api/errors.ts";
import { wordHandlers } from "./handlers/words.ts";
import { lastWord } from "./handlers/last-word.ts";
import type { Services } from "./context/context.ts";
import { answerCorePress } from "./handlers/act.ts";
import { answerDraftPress, draftHandlers, editHandler } from "./handlers/draft.ts";
import { drafts } from "./drafts/messages.ts";
import { anonymousHandler, movedHandler } from "./handlers/groups.ts";
import { openedHandler } from "./handlers/opened.ts";
import { keysHandler } from "./handlers/keys.ts";
import { type PaceLimits, TELEGRAM, throttlerLimits } from "./api/limits.ts";
import { BusyAlbums } from "./context/albums.ts";
import { albumsIn } from "./media/album.ts";
import { openMedia } from "./media/media.ts";
import { uploadLimit } from "./media/upload.ts";
import { chatContext, reach } from "./context/chat-context.ts";
import { lackingFor } from "./context/rights.ts";
import { Moves } from "./api/moves.ts";
import { channelOf } from "./messages/post.ts";
import { publish } from "./publish.ts";
import type { UpdateHandling } from "./dispatcher.ts";
import { Hearing } from "./hearing.ts";
import { deliveriesIn } from "./messages/results-memory.ts";
import { TelegrafSender } from "./api/telegraf-sender.ts";
import { LIMITS } from "./limits.ts";

/** How long the stop waits for Telegram's last answers, in milliseconds. */
const GRACE_MS = 2_000;

const HANDLING: UpdateHandling = {
  handlers: [
    keysHandler([
      movedHandler,
      openedHandler,
      editHandler,
      silence,
      besideHandler,
      anonymousHandler,
      ...wordHandlers,
      ...draftHandlers,
      lastWord,
    ]),
  ],
  async answerAtOnce(context) {
    await answerDraftPress(context);
    await answerCorePress(context);
  },
};

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
  // This process's clock begins at 0: whichever ran before had ended by then.
  const role = host.role("telegram");
  const throttler = new Throttler(throttlerLimits(pace, 0), othersOver("telegram", host.bell, role));
  const sender = new TelegrafSender(api, throttler, moves, pace.pausesMs);
  const bot = new Bot({ api, config, telegram, log, routes });
  const open = (ref: MediaRef) => openMedia({ api, sender, files }, ref);
  let hearing: Hearing | undefined;

  return createChatSurface<TelegramAddress, TelegramReceipt>({
    name: "telegram",
    title: "Telegram",
    host,
    limits: { ...LIMITS, maxUploadBytes: uploadLimit({ host }) },
    addressOf,
    receiptOf,
    unnamed,
    meaningOf,
    kept: [deliveriesIn(memory), albumsIn(memory)],
    openMedia: open,
    ready: () => bot.ready,

    async open(intake, onConnected) {
      const known = await bot.connect();
      const services: Services = {
        host,
        sender,
        memory,
        intake,
        ...known,
        presses: new Map(),
        albums: new BusyAlbums(),
        openMedia: open,
      };
      onConnected({
        channel: channelOf(services),
        reach: (recipient, group) => reach(services, recipient, group),
        lacking: (to, result) => lackingFor(services, to, result),
        async keyConnected(user) {
          const inPrivate = await reach(services, user);
          await drafts.goOn(chatContext(services, user, inPrivate), ({ address }) =>
            chatContext(services, user, addressOf({ ...inPrivate, ...address })),
          );
        },
        // It is its asker's own: in private the chat's, in a group the address's.
        async collect(to, form) {
          await drafts.collect(chatContext(services, `telegram:${to.user ?? to.chat}`, to), form);
        },
      });
      hearing = new Hearing({ services, moves, bot, role, handling: HANDLING });
      await hearing.start();
      publish(services).catch((err: unknown) => log.warn({ err }, "The bot's menu could not be published"));
    },

    async close() {
      await bot.stop();
      await hearing?.stop();
      await sender.stop(GRACE_MS);
    },
  });
}
