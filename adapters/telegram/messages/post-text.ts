import { isAlreadyBegun } from "../../../src/chat/refusal.ts";
import type { View } from "../../../src/chat/views.ts";
import { translator } from "../../../src/i18n.ts";
import type { TelegramAddress, TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { meaningOf } from "../api/errors.ts";
import { withKeyboard } from "./keyboard.ts";
import { placeOf, receiptFor } from "../context/place.ts";
import { render } from "./render.ts";

/** What is said without a file. */
export type TextView = Exclude<View, { kind: "result" | "file" }>;

/** Posts a view as a message of its own. */
export async function sendText(
  services: Services,
  address: TelegramAddress,
  view: TextView,
): Promise<TelegramReceipt> {
  const { html, keyboard } = render(translator(address.locale), view);
  const { message_id: message } = await services.sender.call(
    "sendMessage",
    {
      ...placeOf(address),
      text: html,
      parse_mode: "HTML",
      ...(isAlreadyBegun(view) && { disable_notification: true }),
      // The words of the service, or a template's name, may hold an address.
      link_preview_options: { is_disabled: true },
      ...withKeyboard(keyboard),
    },
    { chat: address.chat },
  );
  return receiptFor(address, { message, form: "text" });
}

/** Shows a view in a message instead of its text; in a new one where that is gone. */
export async function editText(
  services: Services,
  receipt: TelegramReceipt,
  view: TextView,
): Promise<TelegramReceipt> {
  const { chat, message, locale } = receipt;
  const { html, keyboard } = render(translator(locale), view);
  try {
    await services.sender.call(
      "editMessageText",
      {
        chat_id: chat,
        message_id: message,
        text: html,
        parse_mode: "HTML",
        reply_markup: keyboard,
      },
      { chat, ...(view.kind === "progress" && { idle: `${chat} ${message}` }) },
    );
    return receiptFor(receipt, { message, form: "text" });
  } catch (error) {
    if (meaningOf(error) === "message_gone") return sendText(services, receipt, view);
    throw error;
  }
}
