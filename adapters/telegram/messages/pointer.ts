import { translator } from "../../../src/common/i18n.ts";
import { takeAsked } from "../../kit/results/asked-again.ts";
import { ifThere, meaningOf } from "../api/errors.ts";
import { addressOf, isGroup, type TelegramAddress, type TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { escapeHtml, mention } from "./render.ts";

/**
 * Answers the message that shows a result, and calls whoever it is for.
 * @param asked the private chat where they asked for it, where that is another one: there the answer names the message
 * @returns whether that is still there
 */
export async function pointAt(
  services: Pick<Services, "sender">,
  shown: TelegramReceipt,
  asked?: TelegramAddress,
): Promise<boolean> {
  if (!asked) return answer(services, shown);
  const { sender } = services;
  const { chat, locale } = asked;
  const pointer = {
    chat_id: chat,
    text: translator(locale)("view.shown"),
    reply_parameters: { message_id: shown.message, chat_id: shown.chat },
  };
  try {
    return await ifThere(() => sender.call("sendMessage", pointer, { chat }));
  } catch (error) {
    // Not every message can be answered from elsewhere.
    const meaning = meaningOf(error);
    if (meaning !== "refused" && meaning !== "unreachable") throw error;
    return answer(services, shown);
  }
}

function answer({ sender }: Pick<Services, "sender">, shown: TelegramReceipt): Promise<boolean> {
  const { chat, message, topic, locale, user } = shown;
  const text = translator(locale)("view.shown");
  const pointer = {
    chat_id: chat,
    // In a group an answer to a bot calls nobody.
    text: user === undefined ? escapeHtml(text) : mention(user, text),
    parse_mode: "HTML" as const,
    reply_parameters: { message_id: message },
    ...(topic !== undefined && { message_thread_id: topic }),
  };
  return ifThere(() => sender.call("sendMessage", pointer, { chat }));
}

/** The private chat in which whoever a group's result is for has just asked to see it again; never another group. */
export async function askedIn(
  { memory }: Pick<Services, "memory">,
  job: string,
  at: TelegramAddress,
): Promise<TelegramAddress | undefined> {
  if (!isGroup(at)) return undefined;
  const asked = await takeAsked(memory, job, at.user);
  return asked && addressOf(asked);
}
