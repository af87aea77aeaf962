import type { PaceLimits } from "../../../adapters/telegram/api/limits.ts";
import { createTelegramSurface } from "../../../adapters/telegram/surface.ts";
import { readConfig } from "../../../src/app/config.ts";
import type { SharedKey } from "../../../src/app/service.ts";
import type { Surface } from "../../../src/seam/surface/surface.ts";
import type { Renderer } from "../../../src/sandbox/render/task.ts";
import { openAdapter } from "../../support/adapter.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import { haveStated } from "../../support/stated.ts";
import { FakeTelegram, type PersonOptions } from "../../support/telegram/fake-telegram.ts";
import type { TelegramLimits } from "../../support/telegram/limits.ts";

/** Conversations of a few seconds: neither side minds how fast they go. */
export const FAST = { burst: 1, perChatMs: 1, perSecond: 1_000, perMinuteInGroup: 1_000 };
/** What a Telegram minds that people are there in before the bot is. */
export const PATIENT = { chatBurst: 1_000, groupMessages: 1_000, botMessages: 1_000 };

/** What may differ. */
interface HarnessOptions {
  /** Whether everybody's requests are paid for. Default: they are, with play money. */
  readonly paid?: boolean;
  /** Whose tokens those are. Default: play money. */
  readonly source?: SharedKey["source"];
  /** How fast the bot goes. */
  readonly pace?: PaceLimits;
  /** What Telegram refuses. */
  readonly limits?: Partial<TelegramLimits>;
  /** Settings that differ from the usual; they may name people who are there before the bot is. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The Telegram to talk to, where people are there before the bot is. It is stopped with the rest. */
  readonly telegram?: FakeTelegram;
  /** Platforms beside it; none unless given. */
  readonly others?: readonly Surface[];
  /** How the service makes clips, where not at once. */
  readonly render?: Renderer;
}

/** The bot over a sandbox, and a Telegram to talk to it. `await using` stops it. */
export async function harness(options: HarnessOptions = {}) {
  const { paid = true, pace = FAST, limits = PATIENT, settings = {}, others, render, source } = options;
  const sandbox = await testSandbox(render && { render });
  const telegram = options.telegram ?? (await FakeTelegram.start({ limits }));
  const config = readConfig({
    REELAY_API_URL: sandbox.url,
    REELAY_DATA: temporaryFolder(),
    REELAY_SECRET: "a secret for tests only",
    REELAY_RATE_WINDOW_MS: "1200",
    REELAY_POLL_MS: "100",
    REELAY_LOG_LEVEL: "silent",
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
    ...settings,
  });
  const open = () =>
    openAdapter(config, sandbox, { paid, source, others, make: (host) => createTelegramSurface(host, pace) });
  let bot = await open();
  return {
    telegram,
    sandbox,
    /** The data folder. */
    data: config.data,
    get database() {
      return bot.database;
    },
    /** Whether it is still handling, making or delivering something. */
    isBusy: () => bot.isBusy(),
    /** What it logged since it started. */
    get lines() {
      return bot.lines;
    },
    /** Somebody who was here before: nothing is asked of them first. */
    async regular(who: PersonOptions) {
      const person = telegram.person(who);
      await haveStated(bot.database, `telegram:${person.user.id}`);
      return person;
    },
    /** Stops the bot and starts it again on what it kept. */
    async restart() {
      await bot.stop();
      bot = await open();
    },
    async [Symbol.asyncDispose]() {
      await bot.stop();
      await telegram.stop();
      await sandbox.stop();
    },
  };
}
