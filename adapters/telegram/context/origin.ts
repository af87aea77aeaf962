import type { Message, Update, User } from "telegraf/types";
import type { Intake, Origin } from "../../../src/chat/surface.ts";
import type { PersonInChat } from "../../kit/pipeline/fair-queue.ts";
import type { TelegramAddress } from "./address.ts";

/** Who did something, and where. */
interface DraftState extends Omit<TelegramAddress, "locale" | "user"> {
  readonly from: User;
  readonly isGroup: boolean;
}

/** Who did something, and in which chat; what no person did, such as a channel's posts, is nobody's. */
export function senderOf(update: Update): PersonInChat {
  const state = stateOf(update);
  return { person: String(state?.from.id), chat: String(state?.chat) };
}

/** Where an update comes from, with the language that the person chose; undefined for what no person did. */
export async function originOf(update: Update, intake: Intake): Promise<Origin | undefined> {
  const state = stateOf(update);
  if (!state) return undefined;
  const { from, isGroup, ...place } = state;
  const origin: Origin = {
    platform: "telegram",
    user: `telegram:${from.id}`,
    ...(isGroup && { chat: `telegram:${place.chat}` }),
    address: place,
    request: `telegram:${update.update_id}`,
    locale: from.language_code ?? "",
    audience: isGroup ? "group" : "private",
  };
  const { locale } = await intake.preferences(origin);
  return { ...origin, address: { ...place, locale, ...(isGroup && { user: from.id }) } };
}

function stateOf(update: Update): DraftState | undefined {
  if ("message" in update) return sceneOfMessage(update.message);
  if ("edited_message" in update) return sceneOfMessage(update.edited_message);
  if ("callback_query" in update) {
    const { from, message } = update.callback_query;
    // Under a message that was shared by inline mode: what comes of it is said in private.
    if (!message) return privately(from);
    return { from, ...placeOf(message), ...answered("reply_to_message" in message ? message : undefined) };
  }
  if ("inline_query" in update) return privately(update.inline_query.from);
  if ("my_chat_member" in update) {
    const { from, chat } = update.my_chat_member;
    return chat.type === "channel" ? undefined : { from, chat: chat.id, isGroup: chat.type !== "private" };
  }
  return undefined;
}

function sceneOfMessage(
  message: Update.MessageUpdate["message"] | Update.EditedMessageUpdate["edited_message"],
): DraftState | undefined {
  const { from, message_id: replyTo } = message;
  // Anonymous administrators and channels all write under one user's id: nobody's key may pay for them.
  if (from.is_bot || ("sender_chat" in message && message.sender_chat)) return undefined;
  return { from, ...placeOf(message), replyTo };
}

/** A topic's messages say so; elsewhere a thread is only a chain of replies. */
function placeOf(message: Pick<Message, "chat" | "is_topic_message" | "message_thread_id">) {
  const { chat, is_topic_message: isInTopic, message_thread_id: topic } = message;
  return {
    chat: chat.id,
    isGroup: chat.type !== "private",
    ...(isInTopic && topic !== undefined && { topic }),
  };
}

/** What comes of a press answers what the pressed message answered, such as the photo. */
function answered(message: Message.CommonMessage | undefined) {
  const replied = message?.reply_to_message;
  return replied && !("forum_topic_created" in replied) ? { replyTo: replied.message_id } : {};
}

const privately = (from: User): DraftState => ({ from, chat: from.id, isGroup: false });
