import type { ForceReply, InlineKeyboardMarkup } from "telegraf/types";
import { addressOf, placeOf, receiptFor, type TelegramReceipt, whereIs } from "../context/address.ts";
import type { UpdateContext } from "../context/context.ts";

/** Says a sentence with what no view has: links, and answers that are asked for. */
export async function tell(
  context: UpdateContext,
  text: string,
  markup?: InlineKeyboardMarkup | ForceReply,
): Promise<TelegramReceipt> {
  const address = addressOf(context.origin.address);
  const sent = await context.sender.call(
    "sendMessage",
    { ...placeOf(address), text, ...(markup && { reply_markup: markup }) },
    { chat: address.chat },
  );
  return receiptFor(address, { ...whereIs(sent), form: "text" });
}
