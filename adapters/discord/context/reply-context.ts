import type { Origin } from "../../../src/seam/origin.ts";
import { contextOf } from "../../kit/pipeline/context.ts";
import type { DiscordAddress } from "./address.ts";
import type { ReplyContext, Services } from "./context.ts";

/** Talks to somebody whose interaction is not at hand. */
export function replyContext(services: Services, address: DiscordAddress): ReplyContext {
  const { user, guild, channel, inConversation, locale } = address;
  const origin: Origin = {
    platform: "discord",
    user: `discord:${user}`,
    address,
    locale,
    audience: inConversation ? "private" : "group",
    ...(!inConversation && { chat: `discord:${guild ?? channel}` as const, room: channel }),
  };
  return { ...contextOf(services, origin, locale), address, reply: services.replies.of(address) };
}
