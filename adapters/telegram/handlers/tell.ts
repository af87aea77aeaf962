import type { ForceReply, InlineKeyboardMarkup } from "telegraf/types";
import { addressOf } from "../context/address.ts";
import type { UpdateContext } from "../context/context.ts";

/** Says a sentence with what no view has: links, and answers that are asked for. */
export async function tell(
  context: UpdateContext,
  text: string,
  markup?: InlineKeyboardMarkup | ForceReply,
): Promise<void> {
  const { chat, topic, replyTo } = addressOf(context.origin.address);
  await context.sender.call(
    "sendMessage",
    {
      chat_id: chat,
      text,
      ...(topic !== undefined && { message_thread_id: topic }),
      ...(replyTo !== undefined && {
        reply_parameters: { message_id: replyTo, allow_sending_without_reply: true },
      }),
      ...(markup && { reply_markup: markup }),
    },
    { chat },
  );
}
