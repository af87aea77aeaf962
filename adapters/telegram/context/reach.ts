import type { ChatId } from "../../../src/chat/values.ts";
import { ReelayError } from "../../../src/errors.ts";
import type { TelegramAddress } from "./address.ts";
import type { Services } from "./context.ts";

const CHAT = /^telegram:(-?[1-9]\d{0,14})$/;

/**
 * The chat of a person or a group that did not ask, in the language that is spoken there. Whether the bot may write
 * there is known only when it does: people must have written to it first.
 * @throws ReelayError `undeliverable` for what is no chat of Telegram's
 */
export async function reach({ intake }: Services, whom: ChatId): Promise<TelegramAddress> {
  const chat = Number(CHAT.exec(whom)?.[1]);
  if (!Number.isSafeInteger(chat)) throw new ReelayError("undeliverable");
  const isGroup = chat < 0;
  const { locale } = await intake.preferences({
    platform: "telegram",
    user: whom,
    ...(isGroup && { chat: whom }),
    address: { chat },
    locale: "",
    audience: isGroup ? "group" : "private",
  });
  return { chat, locale };
}
