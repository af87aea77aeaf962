import {
  type APIChannel,
  type APIMessage,
  type GatewayMessageCreateDispatchData,
  MessageType,
} from "discord.js";
import { seenWords } from "../../../src/seam/text/cut.ts";
import { contextOf } from "../../kit/pipeline/context.ts";
import type { HandlerFor } from "../../kit/pipeline/handler.ts";
import { DISCORD } from "../api/limits.ts";
import type { DiscordAddress } from "./address.ts";
import type { ReplyContext, Services } from "./context.ts";
import type { DiscordOrigin } from "./origin.ts";
import { ifReached } from "./reach.ts";
import { roomIn } from "./room.ts";

/** A message that a person sent to the bot: in their direct messages, or by mentioning it. */
export type SentMessage = Pick<
  APIMessage,
  "id" | "channel_id" | "author" | "type" | "content" | "attachments" | "embeds"
> &
  Partial<Pick<APIMessage, "message_snapshots" | "referenced_message" | "webhook_id">> &
  Pick<GatewayMessageCreateDispatchData, "guild_id" | "member">;

/** One message, with everything needed to answer it. */
export interface MessageContext extends ReplyContext {
  readonly message: SentMessage;
  /** What it says, besides the bot's name. */
  readonly words: string;
}

/** Deals with a message, or leaves it to the next handler. */
export type MessageHandler = HandlerFor<MessageContext>;

const SAID: ReadonlySet<MessageType> = new Set([MessageType.Default, MessageType.Reply]);

const mentionOf = (bot: string) => new RegExp(`<@!?${bot}>`, "g");

/**
 * Whether a person sent a message to the bot. In a server that is said by its name alone: a reply to what it made names it
 * in `mentions`, too, and is mostly meant for others.
 * @param bot the id of its user
 */
export function isForBot({ author, webhook_id, type, guild_id, content }: SentMessage, bot: string): boolean {
  if (author.bot || webhook_id !== undefined || !SAID.has(type)) return false;
  return guild_id === undefined || mentionOf(bot).test(content);
}

/** A message's context, in the language that its author chose. */
export async function messageContext(services: Services, message: SentMessage): Promise<MessageContext> {
  const { api, replies } = services;
  const origin = await originOf(message, services);
  const { address } = origin;
  const words = seenWords(
    message.content.replaceAll(mentionOf(api.applicationId), " ").replaceAll(/\s+/g, " "),
  );
  const context = contextOf(services, origin, address.locale);
  return { ...context, message, words, address, reply: replies.of(address) };
}

/**
 * Who sent a message, and where, with the roles that they have there. Nobody's language stands in it, nor what they may do
 * there: nothing that is for those who manage or moderate is asked for with a message.
 */
async function originOf(message: SentMessage, services: Services): Promise<DiscordOrigin> {
  const { id, channel_id: channel, guild_id: guild, author, member } = message;
  const inConversation = guild === undefined;
  let told: APIChannel | undefined;
  if (!inConversation) await ifReached(async () => (told = await services.api.channel(channel)));
  const place = inConversation
    ? { audience: "private" as const }
    : { ...(await roomIn(services, channel, told)), chat: `discord:${guild}` as const };
  const origin = {
    platform: "discord",
    user: `discord:${author.id}`,
    ...place,
    ...(member && { roles: member.roles }),
    request: `discord:${id}`,
    locale: "",
  } as const;
  const { locale } = await services.intake.preferences({ ...origin, address: {} });
  const address: DiscordAddress = {
    user: author.id,
    channel,
    ...(guild !== undefined && { guild }),
    inConversation,
    present: true,
    secret: false,
    // How large a file the server allows is not told here.
    fileLimit: DISCORD.file,
    locale,
    asked: { id, token: "", until: 0 },
    replyTo: id,
  };
  return { ...origin, address };
}
