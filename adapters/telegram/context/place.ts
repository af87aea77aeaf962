import { addressOf, type TelegramAddress, type TelegramReceipt } from "./address.ts";

/** Where a message goes, as the Bot API's methods take it. What it answers may be gone by now. */
export function placeOf({ chat, topic, replyTo }: TelegramAddress) {
  return {
    chat_id: chat,
    ...(topic !== undefined && { message_thread_id: topic }),
    ...(replyTo !== undefined && {
      reply_parameters: { message_id: replyTo, allow_sending_without_reply: true },
    }),
  };
}

/** What a message is found by that was posted there. Whose it is in a group stays with it: it goes with them. */
export function receiptFor(
  address: TelegramAddress,
  posted: Pick<TelegramReceipt, "message" | "form" | "others" | "job">,
): TelegramReceipt {
  const { press: _, ...place } = addressOf(address);
  return { ...place, ...posted };
}
