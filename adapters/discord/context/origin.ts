import {
  ApplicationIntegrationType,
  InteractionContextType,
  MessageFlags,
  PermissionFlagsBits,
} from "discord.js";
import type { Origin } from "../../../src/seam/origin.ts";
import type { ChatId } from "../../../src/seam/values.ts";
import type { DiscordAddress } from "./address.ts";
import type { AnyInteraction } from "./interaction.ts";
import { roomIn } from "./room.ts";
import type { Services } from "./context.ts";
import type { PersonInChat } from "../../kit/pipeline/fair-queue.ts";
import { DISCORD } from "../api/limits.ts";
import { isShared } from "./secrecy.ts";
import { currentTime } from "../../../src/common/time.ts";

/** Where something was done, with where its answers go. */
export type DiscordOrigin = Origin & { readonly address: DiscordAddress };

/** Who did something, and in which channel. */
export function senderOf(interaction: AnyInteraction): PersonInChat {
  return { person: personOf(interaction) ?? "", chat: channelOf(interaction) ?? "" };
}

/** Undefined for what no person did. */
function personOf({ member, user }: AnyInteraction): string | undefined {
  return (member?.user ?? user)?.id;
}

/** Who did something, and where, in the language that they chose; undefined for what no person did. */
export async function originOf(
  interaction: AnyInteraction,
  services: Pick<Services, "intake" | "memory" | "api" | "host">,
): Promise<DiscordOrigin | undefined> {
  const { intake, memory } = services;
  const user = personOf(interaction);
  const channel = channelOf(interaction);
  if (user === undefined || channel === undefined) return undefined;
  const inConversation = isInConversation(interaction);
  const chat: ChatId = `discord:${interaction.guild_id ?? channel}`;
  const origin = {
    platform: "discord",
    user: `discord:${user}`,
    ...(inConversation
      ? { audience: "private" as const }
      : { chat, ...(await roomIn(services, channel, interaction.channel)) }),
    ...(may(interaction, PermissionFlagsBits.ManageGuild) && { manages: true }),
    ...(may(interaction, MODERATES) && { moderates: true }),
    ...(interaction.member && { roles: interaction.member.roles }),
    request: `discord:${interaction.id}`,
    locale: interaction.locale ?? "",
  } as const;
  const { locale } = await intake.preferences({ ...origin, address: {} });
  // What comes of a press on what only they see is theirs alone, too.
  const secret = isEphemeral(interaction) && !(await isShared(memory, interaction));
  const { guild_id: guild, id, token, authorizing_integration_owners: owners } = interaction;
  const address: DiscordAddress = {
    user,
    channel,
    ...(guild !== undefined && { guild }),
    inConversation,
    // In people's own conversations it never is, whoever owns what brought it there.
    present:
      guild === undefined ? inConversation : owners[ApplicationIntegrationType.GuildInstall] !== undefined,
    secret,
    fileLimit: interaction.attachment_size_limit,
    locale,
    asked: { id, token, until: currentTime() + DISCORD.tokenMs },
  };
  return { ...origin, address };
}

const isEphemeral = ({ message }: AnyInteraction) => ((message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;

/** Where something was done: the channel itself, and with it its kind, may be left out. */
function channelOf({ channel, channel_id: id }: AnyInteraction): string | undefined {
  return channel?.id ?? id;
}

/** Whether somebody speaks with the bot alone. The context may be left out: an owner of "0" says the same. */
function isInConversation({
  context,
  guild_id: guild,
  authorizing_integration_owners: owners,
}: AnyInteraction) {
  if (context !== undefined) return context === InteractionContextType.BotDM;
  return guild === undefined && owners[ApplicationIntegrationType.GuildInstall] === "0";
}

/** Whoever has one of them decides about what others made in a server. */
const MODERATES = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.ModerateMembers;

/** Whether somebody has one of some rights in the server, as Discord says with each interaction. */
function may({ member }: AnyInteraction, rights: bigint): boolean {
  return (BigInt(member?.permissions ?? 0) & rights) !== 0n;
}
