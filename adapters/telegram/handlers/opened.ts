import type { Handler, UpdateContext } from "../context/context.ts";
import { INSIDE } from "./groups.ts";

/** Has what waited while the bot could not write in a chat told there, as soon as it can; leaves the update to others. */
export const openedHandler: Handler = async (context) => {
  const { intake, origin } = context;
  const { user, chat } = origin;
  const topic = reopenedTopic(context);
  if (chat !== undefined && topic !== undefined) await intake.chatOpened({ chat, at: { topic } });
  else if (isOpened(context)) await intake.chatOpened(chat === undefined ? { user } : { chat });
  return false;
};

/** The forum topic that an update says was closed and is open again. */
function reopenedTopic({ update }: UpdateContext): number | undefined {
  const message = "message" in update ? update.message : undefined;
  return message && "forum_topic_reopened" in message ? message.message_thread_id : undefined;
}

/** Whether an update says that the bot can write in its chat. A group's members write also where it cannot. */
function isOpened({ update, origin }: UpdateContext): boolean {
  if ("message" in update) return origin.audience === "private";
  if (!("my_chat_member" in update)) return false;
  const { new_chat_member: now } = update.my_chat_member;
  return INSIDE.has(now.status) || (now.status === "restricted" && now.can_send_messages);
}
