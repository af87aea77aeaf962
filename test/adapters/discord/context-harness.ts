import type { APIInteraction } from "discord.js";
import { join } from "node:path";
import { Hono } from "hono";
import type { Handler, Services } from "../../../adapters/discord/context/context.ts";
import type { MessageHandler } from "../../../adapters/discord/context/message.ts";
import type { Interaction } from "../../../adapters/discord/context/interaction.ts";
import { Api } from "../../../adapters/discord/api/api.ts";
import { restFor } from "../../../adapters/discord/api/rest.ts";
import { Gateway } from "../../../adapters/discord/gateway/gateway.ts";
import { inboxIn, UpdateDispatcher } from "../../../adapters/discord/dispatcher.ts";
import { openMedia } from "../../../adapters/discord/media/media.ts";
import { Replies } from "../../../adapters/discord/context/replies.ts";
import { ChannelRights } from "../../../adapters/discord/context/channel-rights.ts";
import { NO_BELL } from "../../../src/common/bell.ts";
import { ownRole } from "../../../src/common/role.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";
import { readConfig } from "../../../src/app/config.ts";
import { openMediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import { openLinks } from "../../../src/infrastructure/media/files/links.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { call } from "../../support/discord/bare-bot.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import type { WorldOptions } from "../../support/discord/world.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { SLOWLY } from "./harness.ts";
import { testDatabase } from "../../support/database.ts";

const EVERYWHERE = { contexts: [0, 1, 2], integration_types: [0, 1] };

/** The only command: what it does is the handler's. */
const GO = { name: "go", description: "Go", ...EVERYWHERE };

/** What a test sets up. */
interface DeskOptions extends WorldOptions {
  readonly handler?: Handler;
  /** Of messages. */
  readonly messageHandler?: MessageHandler;
  readonly mayOpenModal?: (interaction: Interaction) => boolean;
}

/** Deals with nothing. */
const nobody = async () => false;

/** The dispatcher with one handler, and no core behind it. `await using` stops it. */
export async function desk({
  handler = nobody,
  messageHandler = nobody,
  mayOpenModal = () => false,
  ...world
}: DeskOptions) {
  const discord = await FakeDiscord.start({ timeScale: SLOWLY, ...world });
  await call(discord, `PUT /applications/${discord.applicationId}/commands`, [GO]);
  const config = readConfig({
    REELAY_DATA: temporaryFolder(),
    DISCORD_BOT_TOKEN: discord.token,
    DISCORD_API_ROOT: discord.url,
  });
  const database = await testDatabase(join(config.data, "reelay.db"));
  const kept = memory(database, "discord");
  const files = await openMediaFiles(join(config.data, "media"));
  const log = makeLogger({ level: "silent" });
  const host = {
    config,
    log,
    memory: () => kept,
    bell: NO_BELL,
    hold: () => {},
    role: ownRole,
    sealed: () => kept,
    files,
    scratch: join(config.data, "scratch"),
    links: openLinks(files, kept),
    routes: new Hono(),
    leaving: new AbortController().signal,
    sandbox: true,
  };
  const discordConfig = config.discord;
  if (!discordConfig) throw new Error("Discord is switched off.");
  const rest = restFor(discordConfig);
  const intake: Pick<Intake, "commands" | "preferences"> = {
    commands: COMMAND_SPECS,
    preferences: async () => ({ locale: "en", spendBelow: null, stated: [] }),
  };
  const heard: APIInteraction[] = [];

  function open(by: Handler, reading: MessageHandler): UpdateDispatcher {
    const api = new Api(rest, discord.applicationId);
    const services: Services = {
      host,
      api,
      replies: new Replies(api),
      rights: new ChannelRights(api),
      memory: kept,
      intake: intake as Intake,
      openMedia: (ref) => openMedia(files, ref),
    };
    return new UpdateDispatcher({
      services,
      inbox: inboxIn(kept),
      handlers: [by],
      messageHandlers: [reading],
      mayOpenModal,
      suggest: async () => {},
    });
  }

  let dispatcher = open(handler, messageHandler);
  const gateway = new Gateway({
    config: discordConfig,
    log,
    onLeft: () => {},
    onMessage: (message) => void dispatcher.read(message),
    onInteraction(interaction) {
      heard.push(interaction);
      void dispatcher.hear(interaction);
    },
  });
  await gateway.start();
  return {
    discord,
    rest,
    /** Every interaction that came. */
    heard,
    take: (interaction: APIInteraction) => dispatcher.hear(interaction),
    /** What is on disk of what was not dealt with. */
    left: () => inboxIn(kept).left(),
    /** Forgets all that is in memory, as a killed process does, and begins anew. */
    async restart(by: Handler = handler, reading: MessageHandler = messageHandler) {
      dispatcher = open(by, reading);
      await dispatcher.open();
    },
    async [Symbol.asyncDispose]() {
      await gateway.stop();
      await dispatcher.stop(0);
      await discord.stop();
      await database.close();
    },
  };
}
