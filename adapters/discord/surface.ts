import type { APIInteraction } from "discord.js";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import type { MediaRef } from "../../src/seam/values.ts";
import { studioAddress } from "../../src/seam/surface/sign-in.ts";
import { createChatSurface } from "../kit/surface.ts";
import type { Intake, Surface } from "../../src/seam/surface/surface.ts";
import { mayOpenModal } from "./handlers/acknowledgement.ts";
import { addressOf, type DiscordAddress, type DiscordReceipt, receiptOf } from "./context/address.ts";
import { findApplication } from "./api/application.ts";
import { suggest } from "./handlers/autocomplete.ts";
import { wordHandlers } from "./handlers/commands.ts";
import { studioCommand, wordCommands } from "./commands/commands.ts";
import type { Handler, Services } from "./context/context.ts";
import { Api } from "./api/api.ts";
import { meaningOf } from "./api/errors.ts";
import { restFor } from "./api/rest.ts";
import { mountEndpoint } from "./endpoint.ts";
import { addressFor, replyContext } from "./context/chat-context.ts";
import { lackingAt } from "./context/lacking.ts";
import { collect } from "./drafts/ask.ts";
import { goOnWaiting } from "./drafts/begin.ts";
import { waitingIn } from "./drafts/keyless.ts";
import { shownIn } from "./drafts/shown.ts";
import { Gateway } from "./gateway/gateway.ts";
import { assignedShard, reportToManager } from "./gateway/shard.ts";
import { keysHandler } from "./handlers/keys.ts";
import { makeHandlers } from "./handlers/make.ts";
import { openedHandler } from "./handlers/opened.ts";
import { MESSAGE_HANDLERS } from "./handlers/messages.ts";
import { openMedia } from "./media/media.ts";
import { makeCommands } from "./commands/options.ts";
import { channelOf } from "./messages/post.ts";
import { unnamed } from "./messages/posted.ts";
import { publishCommands } from "./publish.ts";
import { inboxIn, UpdateDispatcher } from "./dispatcher.ts";
import { Replies } from "./context/replies.ts";
import { ChannelRights } from "./context/channel-rights.ts";
import { deliveriesIn } from "./messages/results-memory.ts";
import { withheldHandler } from "./messages/withheld.ts";
import { LIMITS } from "./limits.ts";

const HANDLERS: readonly Handler[] = [
  keysHandler([openedHandler, withheldHandler, ...makeHandlers, ...wordHandlers]),
];

/** Discord, by one application. */
export const createDiscordSurface = (host: SurfaceHost): Surface => discordSurface(host, true);

/** The same for a process that only posts there, such as what was made on the page: others hear what people do. */
export const createDiscordPoster = (host: SurfaceHost): Surface => discordSurface(host, false);

function discordSurface(host: SurfaceHost, hears: boolean): Surface {
  const { config, files, log, routes } = host;
  const { discord } = config;
  if (!discord) throw new Error("There is no token for Discord.");
  const memory = host.memory("discord");
  const rest = restFor(discord);
  const open = (ref: MediaRef) => openMedia(files, ref);
  let opened: { readonly intake: Intake; readonly dispatcher: UpdateDispatcher } | undefined;

  const take = async (interaction: APIInteraction) => {
    await opened?.dispatcher.hear(interaction);
  };

  async function forgetGroup(guild: string): Promise<void> {
    await opened?.intake
      .forgetGroup(`discord:${guild}`)
      .catch((err: unknown) => log.error({ err }, "What a server had set could not be erased"));
  }

  const byGateway = hears && discord.publicKey === undefined;
  // A process for each shard, and of those for one shard on several nodes, one.
  const shard = assignedShard();
  const role = host.role(shard ? `discord-shard:${shard.id}/${shard.count}` : "discord");
  const { isShared } = host.bell;
  let gateway: Gateway | undefined;

  if (discord.publicKey !== undefined) mountEndpoint(routes, discord.publicKey, take);

  const gatewayFor = (state: string | undefined) =>
    new Gateway({
      config: discord,
      log,
      onInteraction: (interaction) => void take(interaction),
      onMessage: (message) => void opened?.dispatcher.read(message),
      onLeft: (guild) => void forgetGroup(guild),
      ...(isShared && { relay: { state, isOurs: () => role.isOurs } }),
    });

  return createChatSurface<DiscordAddress, DiscordReceipt>({
    name: "discord",
    title: "Discord",
    host,
    limits: LIMITS,
    addressOf,
    receiptOf,
    unnamed,
    meaningOf,
    kept: [deliveriesIn(memory), waitingIn(memory), shownIn(memory)],
    // Whatever a reference leads to was read into the data folder.
    ownMark: "",
    openMedia: open,
    ready: () => (byGateway && role.isOurs ? (gateway?.ready ?? false) : true),

    async open(intake, onConnected, signal) {
      const api = new Api(rest, await findApplication(rest, { log, signal }));
      const [replies, rights] = [new Replies(api), new ChannelRights(api)];
      const services: Services = { host, api, replies, rights, memory, intake, openMedia: open };
      onConnected({
        channel: channelOf(services),
        collect: (to, form) => collect(replyContext(services, to), form),
        reach: (recipient, group) => addressFor(services, recipient, group),
        lacking: (to) => lackingAt(services, to),
        keyConnected: (user) => goOnWaiting(services, user),
      });
      if (!hears) return;
      const inbox = inboxIn(host.sealed("discord"));
      const begin = async () => {
        const dispatcher = new UpdateDispatcher({
          services,
          inbox,
          handlers: HANDLERS,
          messageHandlers: MESSAGE_HANDLERS,
          mayOpenModal: (interaction) => mayOpenModal(interaction, intake),
          suggest: (typing, origin) => suggest(services, typing, origin),
          ...(isShared && byGateway && { isOurs: () => role.isOurs }),
        });
        opened = { intake, dispatcher };
        await dispatcher.open();
      };
      const studio = studioAddress(config) === undefined ? [] : [studioCommand];
      const commands = [...makeCommands(intake.commands), ...wordCommands(intake.commands), ...studio];
      void publishCommands(services, commands, { log, signal });
      if (!byGateway) return begin();
      await role.play({
        async begin(state) {
          await begin();
          gateway = gatewayFor(state);
          await gateway.start();
        },
        async end() {
          await gateway?.stop();
          await opened?.dispatcher.stop();
        },
        state: () => gateway?.state,
      });
      // Whoever started this process waits for it, and it waits for its turn.
      if (!role.isOurs) reportToManager({ _ready: true });
    },

    async close() {
      if (byGateway) await role.leave();
      else await opened?.dispatcher.stop();
    },
  });
}
