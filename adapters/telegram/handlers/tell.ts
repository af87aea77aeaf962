import type { ForceReply, InlineKeyboardMarkup } from "telegraf/types";
import { addressOf, placeOf } from "../context/address.ts";
import type { UpdateContext } from "../context/context.ts";

/** Says a sentence with what no view has: links, and answers that are asked for. */
export async function tell(
  context: UpdateContext,
  text: string,
  markup?: InlineKeyboardMarkup | ForceReply,
): Promise<void> {
  const address = addressOf(context.origin.address);
  await context.sender.call(
    "sendMessage",
    { ...placeOf(address), text, ...(markup && { reply_markup: markup }) },
    { chat: address.chat },
  );
}
