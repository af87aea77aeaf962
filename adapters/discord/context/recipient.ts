import type { ChatId } from "../../../src/seam/values.ts";
import { type DiscordAddress, UNASKED } from "./address.ts";
import type { Services } from "./context.ts";
import { DISCORD } from "../api/limits.ts";
import { firstOf } from "./reach.ts";

/** Where something was not asked for, but is to be told. */
type Place = Pick<DiscordAddress, "channel" | "inConversation" | "guild" | "user">;

/**
 * Where to post to a channel, or to a person in their direct messages, who did not ask. Which of both an id is, only
 * Discord knows.
 * @throws OutOfReach for what is neither, or not to be reached by the bot
 */
export async function addressFor(
  { api, intake }: Pick<Services, "api" | "intake">,
  recipient: ChatId,
): Promise<DiscordAddress> {
  const id = recipient.slice("discord:".length);
  const place = await firstOf<Place>([() => roomOf(api, id), () => conversationOf(api, id)]);
  const { guild } = place;
  const chat = guild === undefined ? {} : { chat: `discord:${guild}` as const };
  const audience = place.inConversation ? "private" : "group";
  const origin = {
    platform: "discord",
    user: recipient,
    ...chat,
    address: {},
    locale: "",
    audience,
  } as const;
  const { locale } = await intake.preferences(origin);
  return { ...place, present: true, secret: false, fileLimit: DISCORD.file, locale, asked: UNASKED };
}

async function roomOf(api: Services["api"], id: string): Promise<Place> {
  const channel = await api.channel(id);
  const guild = "guild_id" in channel && channel.guild_id !== undefined ? { guild: channel.guild_id } : {};
  return { channel: id, inConversation: false, ...guild };
}

async function conversationOf(api: Services["api"], user: string): Promise<Place> {
  return { user, channel: await api.conversation(user), inConversation: true };
}
