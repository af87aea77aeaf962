import type { Origin } from "../../../src/chat/surface.ts";
import type { UserId } from "../../../src/chat/values.ts";
import { type ChatContext as Base, contextOf } from "../../kit/pipeline/context.ts";
import type { TelegramAddress } from "./address.ts";
import type { Services } from "./context.ts";

/** Somebody in a chat, with everything needed to talk to them. An update is not always at hand. */
export interface ChatContext extends Services, Base {}

/** Talks to somebody whose update is not at hand. */
export function chatContext(services: Services, user: UserId, address: TelegramAddress): ChatContext {
  const { chat, locale } = address;
  const isGroup = chat < 0;
  const origin: Origin = {
    platform: "telegram",
    user,
    address,
    locale,
    audience: isGroup ? "group" : "private",
    ...(isGroup && { chat: `telegram:${chat}` as const }),
  };
  return contextOf(services, origin, locale);
}
