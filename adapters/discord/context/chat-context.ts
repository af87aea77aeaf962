import type { Origin } from "../../../src/seam/origin.ts";
import type { ChatId, UserId } from "../../../src/seam/values.ts";
import { contextOf } from "../../kit/pipeline/context.ts";
import { type DiscordAddress, UNASKED } from "./address.ts";
import type { ReplyContext, Services } from "./context.ts";
import { DISCORD } from "../api/limits.ts";
import { firstOf, OutOfReach } from "./reach.ts";

/** Talks to somebody whose interaction is not at hand. */
export function replyContext(services: Services, address: DiscordAddress): ReplyContext {
  const { user, locale } = address;
  const origin: Origin = { ...originAt(`discord:${user}`, address, locale), address };
  return { ...contextOf(services, origin, locale), address, reply: services.replies.of(address) };
}

/** Where something was not asked for, but is to be told. */
type Place = Pick<DiscordAddress, "channel" | "inConversation" | "guild" | "user">;

/** Somebody in a channel, or in their direct messages. */
function originAt(user: UserId, { guild, channel, inConversation }: Place, locale: string): Origin {
  return {
    platform: "discord",
    user,
    address: {},
    locale,
    audience: inConversation ? "private" : "group",
    ...(!inConversation && { chat: `discord:${guild ?? channel}` as const, room: channel }),
  };
}

/**
 * Where to post to a channel, or to a person in their direct messages, who did not ask. Which of both an id is, only
 * Discord knows.
 * @param group the server whose channel it must be, where what is told is about that
 * @throws OutOfReach for what is neither, or not to be reached by the bot
 */
export async function addressFor(
  { api, intake }: Pick<Services, "api" | "intake">,
  recipient: ChatId,
  group?: ChatId,
): Promise<DiscordAddress> {
  const id = recipient.slice("discord:".length);
  const ways = [() => roomOf(api, id), ...(group === undefined ? [() => conversationOf(api, id)] : [])];
  const place = await firstOf<Place>(ways);
  if (group !== undefined && `discord:${place.guild}` !== group) throw new OutOfReach();
  const { locale } = await intake.preferences(originAt(recipient, place, ""));
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
