import { join } from "node:path";
import { Hono } from "hono";
import type { Update } from "telegraf/types";
import { Bot } from "../../../adapters/telegram/bot.ts";
import { BotApi } from "../../../adapters/telegram/api/client.ts";
import { BusyAlbums } from "../../../adapters/telegram/context/albums.ts";
import type { Handler, Services } from "../../../adapters/telegram/context/context.ts";
import { Moves } from "../../../adapters/telegram/api/moves.ts";
import { Throttler } from "../../../adapters/kit/throttle/throttler.ts";
import { type PaceLimits, throttlerLimits } from "../../../adapters/telegram/api/limits.ts";
import { inboxIn, UpdateDispatcher } from "../../../adapters/telegram/dispatcher.ts";
import { TelegrafSender } from "../../../adapters/telegram/api/telegraf-sender.ts";
import { NO_BELL } from "../../../src/common/bell.ts";
import { ownRole } from "../../../src/common/role.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import { BUTTONS, COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { readConfig } from "../../../src/app/config.ts";
import { nearestLocale } from "../../../src/common/i18n.ts";
import { openMediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import { openLinks } from "../../../src/infrastructure/media/files/links.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { FakeTelegram } from "../../support/telegram/fake-telegram.ts";
import type { WorldOptions } from "../../support/telegram/world.ts";
import { noJobs } from "../../support/job-access.ts";
import { noPeople } from "../../support/no-people.ts";
import { noKeys } from "../../support/no-keys.ts";
import { noOthers } from "../../support/no-others.ts";
import { testDatabase } from "../../support/database.ts";

/** As fast as a test may be where the pace is not what it is about. */
export const QUICK: PaceLimits = { burst: 1, perChatMs: 0, perSecond: 10_000, perMinuteInGroup: 10_000 };

/** No limits on Telegram's side either. */
export const PATIENT = { chatBurst: 10_000, botMessages: 10_000, groupMessages: 10_000 } as const;

/** An intake of which only the language is asked. */
export const intake: Intake = {
  commands: COMMAND_SPECS,
  commandsFor: () => COMMAND_SPECS,
  buttons: BUTTONS,
  jobs: noJobs,
  people: async () => noPeople,
  keys: noKeys,
  runners: noOthers,
  wantsKey: async () => false,
  run: async () => {},
  connect: async () => {},
  command: async () => true,
  answer: async () => true,
  act: async () => {},
  suggest: async () => [],
  admit: async () => {},
  quote: async () => ({ tokens: null, basis: "unknown", balance: null, asks: [] }),
  mayBegin: async () => false,
  tokensLeft: async () => null,
  preferences: async ({ locale }) => ({ locale: nearestLocale(locale), spendBelow: null, stated: [] }),
  examine: async () => [],
  chatOpened: async () => {},
  notArrived: async () => {},
  rulesIn: async () => ({}),
  groupMoved: async () => {},
  forgetGroup: async () => {},
};

/** What may differ. */
interface TransportOptions extends WorldOptions {
  readonly pace?: PaceLimits;
}

/** The transport alone, over a Telegram: its calls go out, nobody takes updates in yet. `await using` stops it. */
export async function transport({ pace = QUICK, ...world }: TransportOptions = {}) {
  const telegram = await FakeTelegram.start({ limits: PATIENT, ...world });
  const data = temporaryFolder();
  const database = await testDatabase(join(data, "reelay.db"));
  const kept = memory(database, "telegram");
  const lines: string[] = [];
  const log = makeLogger({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  const config = readConfig({
    REELAY_DATA: data,
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
  });
  const api = new BotApi({ token: telegram.token, apiRoot: telegram.url, webhook: false });
  const moves = new Moves(kept);
  const sender = new TelegrafSender(api, new Throttler(throttlerLimits(pace)), moves);
  const files = await openMediaFiles(join(data, "media"));
  const host = {
    config,
    log,
    memory: () => kept,
    bell: NO_BELL,
    hold: () => {},
    role: ownRole,
    sealed: () => kept,
    files,
    scratch: join(data, "scratch"),
    links: openLinks(files, kept),
    routes: new Hono(),
    leaving: new AbortController().signal,
    sandbox: true,
  };
  const services: Services = {
    host,
    sender,
    memory: kept,
    intake,
    bot: 700_000_001,
    username: "reelay_bot",
    presses: new Map(),
    albums: new BusyAlbums(),
    openMedia: () => Promise.reject(new Error("Nobody opens anything here.")),
  };
  return {
    telegram,
    api,
    sender,
    moves,
    memory: kept,
    services,
    /** What was logged. */
    lines,
    async [Symbol.asyncDispose]() {
      await sender.stop(1_000);
      await database.close();
      await telegram.stop();
    },
  };
}

/** Takes updates in, as after a start: by polling, or by a webhook at an address. */
export async function listening(
  { telegram, api, services, memory: kept, moves }: Awaited<ReturnType<typeof transport>>,
  handler: Handler,
  webhook?: { readonly routes: Hono; readonly publicUrl: string },
) {
  const { log, routes } = services.host;
  const bot = new Bot({
    api,
    config: { publicUrl: webhook?.publicUrl },
    telegram: { token: telegram.token, apiRoot: telegram.url, webhook: webhook !== undefined },
    log,
    routes: webhook?.routes ?? routes,
  });
  const dispatcher = new UpdateDispatcher(services, inboxIn(kept), moves, {
    handlers: [handler],
    answerAtOnce: async () => {},
  });
  await bot.connect();
  await dispatcher.open();
  bot.listen(dispatcher);
  return {
    bot,
    dispatcher,
    async [Symbol.asyncDispose]() {
      await bot.stop();
      await dispatcher.stop(1_000);
    },
  };
}

/** What a message says. */
export const textOf = (update: Update): string =>
  "message" in update && "text" in update.message ? update.message.text : "";
