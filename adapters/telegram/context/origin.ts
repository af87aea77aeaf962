import type { Message, Update, User } from "telegraf/types";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { PersonInChat } from "../../kit/pipeline/fair-queue.ts";
import type { TelegramAddress } from "./address.ts";
import { originAt } from "./chat-context.ts";
import { textOf } from "./command-line.ts";

interface Source extends Pick<TelegramAddress, "chat" | "topic" | "replyTo"> {
  readonly from: User;
}

/** Who did something, and in which chat; what no person did, such as a channel's posts, is nobody's. */
export function senderOf(update: Update): PersonInChat {
  const source = sourceOf(update);
  return { person: String(source?.from.id), chat: String(source?.chat) };
}

/** Where an update comes from, with the language that the person chose; undefined for what no person did. */
export async function originOf(update: Update, intake: Intake): Promise<Origin | undefined> {
  const source = sourceOf(update);
  if (!source) return undefined;
  const { from, ...place } = source;
  const asked = originAt(`telegram:${from.id}`, place, from.language_code ?? "");
  const origin = { ...asked, request: `telegram:${update.update_id}` };
  const { locale } = await intake.preferences(origin);
  const isGroup = origin.audience === "group";
  return { ...origin, address: { ...place, locale, ...(isGroup && { user: from.id }) } };
}

function sourceOf(update: Update): Source | undefined {
  if ("message" in update) return sourceOfMessage(update.message);
  if ("edited_message" in update) return sourceOfMessage(update.edited_message);
  if ("callback_query" in update) {
    const { from, message } = update.callback_query;
    // Under a message that was shared by inline mode: what comes of it is said in private.
    if (!message) return { from, chat: from.id };
    return { from, ...placeOf(message), ...answered("reply_to_message" in message ? message : undefined) };
  }
  if ("inline_query" in update) return { from: update.inline_query.from, chat: update.inline_query.from.id };
  if ("my_chat_member" in update) {
    const { from, chat } = update.my_chat_member;
    return chat.type === "channel" ? undefined : { from, chat: chat.id };
  }
  return undefined;
}

function sourceOfMessage(
  message: Update.MessageUpdate["message"] | Update.EditedMessageUpdate["edited_message"],
): Source | undefined {
  const { from, message_id: replyTo } = message;
  // Anonymous administrators and channels all write under one user's id: nobody's key may pay for them. See `anonymousHandler`.
  const isNobody = from.is_bot || ("sender_chat" in message && message.sender_chat !== undefined);
  if (isNobody && !(isAnonymous(message) && isOfInterest(textOf(message)))) return undefined;
  return { from, ...placeOf(message), replyTo };
}

/** Whether a message was written as its group, by one of those who manage it. */
export function isAnonymous(message: Message): boolean {
  return "sender_chat" in message && message.sender_chat?.id === message.chat.id;
}

/** Whether words may be said to the bot, or may hold a key that is to be seen by nobody. */
const isOfInterest = (words: string) => /^\/|@|\S{16}/.test(words);

/** A topic's messages say so; elsewhere a thread is only a chain of replies. */
function placeOf(message: Pick<Message, "chat" | "is_topic_message" | "message_thread_id">) {
  const { chat, is_topic_message: isInTopic, message_thread_id: topic } = message;
  return { chat: chat.id, ...(isInTopic && topic !== undefined && { topic }) };
}

/** What comes of a press answers what the pressed message answered, such as the photo. */
function answered(message: Message.CommonMessage | undefined) {
  const replied = message?.reply_to_message;
  return replied && !("forum_topic_created" in replied) ? { replyTo: replied.message_id } : {};
}
