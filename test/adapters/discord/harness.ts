import { createDiscordSurface } from "../../../adapters/discord/surface.ts";
import { readConfig } from "../../../src/app/config.ts";
import type { SharedKey } from "../../../src/app/service.ts";
import type { Renderer } from "../../../src/sandbox/render/task.ts";
import { openAdapter } from "../../support/adapter.ts";
import type { Surface } from "../../../src/seam/surface/surface.ts";
import type { StatementName } from "../../../src/seam/values.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import type { Person } from "../../support/discord/person.ts";
import type { WorldOptions } from "../../support/discord/world.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import { haveStated } from "../../support/stated.ts";

/** Conversations of a few seconds: Discord does not mind how fast they go. */
const PATIENT = { globalRequests: 10_000, channelRequests: 10_000, webhookRequests: 10_000 };

/** Discord's time goes so much more slowly: a busy machine is late for no answer. */
export const SLOWLY = 4;

type Settings = Readonly<Record<string, string>>;

/** What may differ. */
interface HarnessOptions extends WorldOptions {
  /** Whether everybody's requests are paid for. Default: they are, with play money. */
  readonly paid?: boolean;
  /** Whose tokens those are. Default: play money. */
  readonly source?: SharedKey["source"];
  readonly settings?: Settings | ((discord: FakeDiscord) => Settings);
  /** Platforms beside it; none unless given. */
  readonly others?: readonly Surface[];
  /** How the service makes clips, where not at once. */
  readonly render?: Renderer;
}

/** The bot over a sandbox, and a Discord to talk to it. `await using` stops it. */
export async function harness(options: HarnessOptions = {}) {
  const { paid = true, source, settings = {}, render, others, ...world } = options;
  const sandbox = await testSandbox(render && { render });
  const discord = await FakeDiscord.start({
    timeScale: SLOWLY,
    ...world,
    limits: { ...PATIENT, ...world.limits },
  });
  const config = readConfig({
    REELAY_API_URL: sandbox.url,
    REELAY_DATA: temporaryFolder(),
    REELAY_SECRET: "a secret for tests only",
    REELAY_RATE_WINDOW_MS: "1200",
    REELAY_POLL_MS: "100",
    REELAY_LOG_LEVEL: "silent",
    DISCORD_BOT_TOKEN: discord.token,
    DISCORD_API_ROOT: discord.url,
    ...(typeof settings === "function" ? settings(discord) : settings),
  });
  const open = () => openAdapter(config, sandbox, { paid, source, others, make: createDiscordSurface });
  let bot = await open();
  // Commands can be used once Discord has them.
  await discord.until(() => discord.calls("PUT /applications/{application_id}/commands").length > 0);
  return {
    discord,
    sandbox,
    /** The data folder. */
    data: config.data,
    get database() {
      return bot.database;
    },
    get surface() {
      return bot.surface;
    },
    /** What the bot mounts on its HTTP server. */
    get routes() {
      return bot.routes;
    },
    /** Whether it is still handling, making or delivering something. */
    isBusy: () => bot.isBusy(),
    /** What it logged since it started. */
    get lines() {
      return bot.lines;
    },
    /** Lets people have stated something before. */
    async stated(people: readonly Person[], statements?: readonly StatementName[]) {
      for (const { user } of people) await haveStated(bot.database, `discord:${user.id}`, statements);
    },
    /** Stops the bot and starts it again on what it kept. */
    async restart() {
      await bot.stop();
      bot = await open();
    },
    async [Symbol.asyncDispose]() {
      await bot.stop();
      await discord.stop();
      await sandbox.stop();
    },
  };
}
