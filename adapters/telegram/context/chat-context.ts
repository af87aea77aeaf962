import type { Origin } from "../../../src/seam/origin.ts";
import type { ChatId, UserId } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { type ChatContext as Base, contextOf } from "../../kit/pipeline/context.ts";
import { isGroup, type TelegramAddress } from "./address.ts";
import type { Services } from "./context.ts";
import { haveManagerInCommon, managedBy } from "./managers.ts";

/** Somebody in a chat, with everything needed to talk to them. An update is not always at hand. */
export interface TelegramContext extends Services, Base {}

/** Talks to somebody whose update is not at hand. */
export function chatContext(services: Services, user: UserId, address: TelegramAddress): TelegramContext {
  return contextOf(services, originAt(user, address, address.locale), address.locale);
}

/** Somebody in a chat. Groups have negative ids. */
export function originAt(user: UserId, address: Omit<TelegramAddress, "locale">, locale: string): Origin {
  const isGroup = address.chat < 0;
  return {
    platform: "telegram",
    user,
    ...(isGroup && { chat: `telegram:${address.chat}` as const }),
    address,
    locale,
    audience: isGroup ? "group" : "private",
  };
}

const CHAT = /^telegram:(-?[1-9]\d{0,14})(?:\/([1-9]\d{0,14}))?$/;

/** Telegram's own id of a chat, also where a topic of it is named; NaN for what is none of Telegram's. */
export const chatOf = (chat: ChatId) => Number(CHAT.exec(chat)?.[1]);

/** The topic of a chat, where one is named. */
function topicOf(chat: ChatId): Pick<TelegramAddress, "topic"> {
  const topic = CHAT.exec(chat)?.[2];
  return topic === undefined ? {} : { topic: Number(topic) };
}

/** A chat, or a topic of one, as it is named behind the platform. */
export const roomOf = ({ chat, topic }: Pick<TelegramAddress, "chat" | "topic">) =>
  topic === undefined ? String(chat) : `${chat}/${topic}`;

/**
 * The chat of a person or a group that did not ask, or a topic of it, in the language that is spoken there. Whether the bot may write
 * there is known only when it does: people must have written to it first.
 * @param group the group that it is about, where whoever manages it is told: nobody else is, and no other group but one that
 * somebody manages who manages that one, too
 * @throws ReelayError `undeliverable` for what is no chat of Telegram's, and for who manages that group no more
 */
export async function reach(
  services: Pick<Services, "intake" | "sender">,
  recipient: ChatId,
  group?: ChatId,
): Promise<TelegramAddress> {
  const chat = chatOf(recipient);
  if (!Number.isSafeInteger(chat)) throw new ReelayError("undeliverable");
  const { locale } = await services.intake.preferences(originAt(`telegram:${chat}`, { chat }, ""));
  const place = { chat, ...topicOf(recipient), locale };
  if (group === undefined) return place;
  const moderated = chatOf(group);
  const isTheirs = isGroup(place)
    ? await haveManagerInCommon(services, chat, moderated)
    : (await managedBy(services, chat, moderated)) !== undefined;
  if (!isTheirs) throw new ReelayError("undeliverable");
  return { ...place, moderated };
}
