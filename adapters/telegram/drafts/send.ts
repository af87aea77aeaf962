import type { TelegramAddress, TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import type { Page } from "./page.ts";
import { meaningOf } from "../api/errors.ts";

/** Posts a page. */
export async function sendPage(
  services: Services,
  address: TelegramAddress,
  page: Page,
): Promise<TelegramReceipt> {
  const { chat, topic, replyTo, locale } = address;
  const { message_id: message } = await services.sender.call(
    "sendMessage",
    {
      chat_id: chat,
      ...contentOf(page),
      ...(topic !== undefined && { message_thread_id: topic }),
      ...(replyTo !== undefined && {
        reply_parameters: { message_id: replyTo, allow_sending_without_reply: true },
      }),
    },
    { chat },
  );
  return {
    chat,
    locale,
    message,
    form: "text",
    ...(topic !== undefined && { topic }),
    ...(replyTo !== undefined && { replyTo }),
  };
}

/** Shows another page in a message. @returns whether the message was still there */
export async function editPage(services: Services, receipt: TelegramReceipt, page: Page): Promise<boolean> {
  const { chat, message: message_id, form } = receipt;
  const { text, ...content } = contentOf(page);
  try {
    if (form === "text")
      await services.sender.call(
        "editMessageText",
        { chat_id: chat, message_id, text, ...content },
        { chat },
      );
    else
      await services.sender.call(
        "editMessageCaption",
        { chat_id: chat, message_id, caption: text, ...content },
        { chat },
      );
    return true;
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning === "unmodified") return true;
    if (meaning === "message_gone") return false;
    throw error;
  }
}

/** Puts a picture above a page, in the same message. @returns whether the message was still there */
export async function addPicture(
  services: Services,
  { chat, message: message_id }: TelegramReceipt,
  picture: Buffer,
  page: Page,
): Promise<boolean> {
  const { text: caption, parse_mode, reply_markup } = contentOf(page);
  const media = { type: "photo", media: { source: picture }, caption, parse_mode } as const;
  try {
    await services.sender.call(
      "editMessageMedia",
      { chat_id: chat, message_id, media, reply_markup },
      { chat },
    );
    return true;
  } catch (error) {
    if (meaningOf(error) === "message_gone") return false;
    throw error;
  }
}

function contentOf({ text, rows }: Page) {
  return {
    text,
    parse_mode: "HTML",
    reply_markup: { inline_keyboard: rows.map((row) => [...row]) },
  } as const;
}
