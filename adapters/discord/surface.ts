import type { APIInteraction } from "discord.js";
import type { SurfaceHost } from "../../src/chat/host.ts";
import type { Intake, Surface } from "../../src/chat/surface.ts";
import { Opening } from "../kit/pipeline/opening.ts";
import { mayOpenModal } from "./handlers/acknowledgement.ts";
import { addressOf, receiptOf } from "./context/address.ts";
import { findApplication } from "./api/application.ts";
import { suggest } from "./handlers/autocomplete.ts";
import { wordHandlers } from "./handlers/commands.ts";
import { wordCommands } from "./commands/commands.ts";
import type { Handler, Services } from "./context/context.ts";
import { Api } from "./api/api.ts";
import { restFor } from "./api/rest.ts";
import { forgetFiles } from "../../src/chat/kept-files.ts";
import { DraftStore } from "../kit/drafts/store.ts";
import { mountEndpoint } from "./endpoint.ts";
import { expire } from "./expire.ts";
import { replyContext } from "./context/reply-context.ts";
import { collect } from "./drafts/ask.ts";
import { Gateway } from "./gateway/gateway.ts";
import { keysHandler } from "./handlers/keys.ts";
import { DISCORD } from "./api/limits.ts";
import { makeHandlers } from "./handlers/make.ts";
import { openMedia } from "./media/media.ts";
import { makeCommands } from "./commands/options.ts";
import { deliver, revise } from "./messages/post.ts";
import { publishCommands } from "./publish.ts";
import { inboxIn, InteractionDispatcher } from "./dispatcher.ts";
import { Replies } from "./context/replies.ts";
import { deliveriesIn } from "./messages/results-memory.ts";
import { addressFor } from "./context/whom.ts";
import { withheldHandler } from "./messages/withheld.ts";

/** The least time between two edits of a job's message, in milliseconds: a token takes five calls in two seconds. */
const EDIT_INTERVAL_MS = 2_500;

/** How long the stop waits for those who are being dealt with, in milliseconds. */
const GRACE_MS = 3_000;

const HANDLERS: readonly Handler[] = [keysHandler([withheldHandler, ...makeHandlers, ...wordHandlers])];

/** What is there once Discord was reached. */
interface Opened {
  readonly services: Services;
  readonly dispatcher: InteractionDispatcher;
}

/** Discord, by one application. */
export function createDiscordSurface(host: SurfaceHost): Surface {
  const { config, files, log, routes } = host;
  const { discord } = config;
  if (!discord) throw new Error("There is no token for Discord.");
  const memory = host.memory("discord");
  const rest = restFor(discord);
  const stop = new AbortController();
  const persistence = { log, signal: stop.signal };
  const opening = new Opening<Opened>("Discord", log, stop.signal);
  const services = () => opening.now.services;

  const take = async (interaction: APIInteraction) => {
    await opening.reached?.dispatcher.hear(interaction);
  };

  async function forgetGroup(guild: string): Promise<void> {
    await opening.reached?.services.intake
      .forgetGroup(`discord:${guild}`)
      .catch((err: unknown) => log.error({ err }, "What a server had set could not be erased"));
  }

  const gateway =
    discord.publicKey === undefined
      ? new Gateway({
          config: discord,
          log,
          onInteraction: (interaction) => void take(interaction),
          onLeft: (guild) => void forgetGroup(guild),
        })
      : undefined;
  if (discord.publicKey !== undefined) mountEndpoint(routes, discord.publicKey, take);

  async function open(intake: Intake): Promise<void> {
    const api = new Api(rest, await findApplication(rest, persistence));
    const replies = new Replies(api);
    const services: Services = {
      host,
      api,
      replies,
      memory,
      intake,
      openMedia: (ref) => openMedia(files, ref),
    };
    const dispatcher = new InteractionDispatcher({
      services,
      inbox: inboxIn(host.sealed("discord")),
      handlers: HANDLERS,
      mayOpenModal: (interaction) => mayOpenModal(interaction, intake),
      suggest: (typing, origin) => suggest(services, typing, origin),
    });
    opening.reached = { services, dispatcher };
    await dispatcher.open();
    const commands = [...makeCommands(intake.commands), ...wordCommands(intake.commands)];
    void publishCommands(services, commands, persistence);
    await gateway?.start();
  }

  return {
    name: "discord",
    limits: { maxUploadBytes: DISCORD.file, editIntervalMs: EDIT_INTERVAL_MS },

    start: (intake) => opening.start(() => open(intake)),

    deliver: async (to, view) => deliver(services(), addressOf(to), view, stop.signal),
    revise: async (receipt, view) => revise(services(), receiptOf(receipt), view, stop.signal),
    collect: async (to, form) => collect(replyContext(services(), addressOf(to)), form),

    openMedia: (ref) => openMedia(files, ref),

    async forget(user) {
      await new DraftStore(memory).forget(user);
      await forgetFiles(memory, files, user);
      await deliveriesIn(memory).forget(user);
    },

    // What is old goes once Discord was reached, and in an hour again.
    async expire(before) {
      if (opening.reached) await expire(services(), before);
    },

    reach: async (whom) => addressFor(services(), whom),

    ready: () => opening.reached !== undefined && !stop.signal.aborted && (gateway?.ready ?? true),

    async stop() {
      stop.abort();
      await gateway?.stop();
      await opening.reached?.dispatcher.stop(GRACE_MS);
    },
  };
}
