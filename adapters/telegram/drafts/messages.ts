import { DraftMessages } from "../../kit/drafts/messages.ts";
import type { DraftPage, Format } from "../../kit/drafts/page-parts.ts";
import { meaningOf } from "../api/errors.ts";
import { TELEGRAM } from "../api/limits.ts";
import { addressOf, receiptOf } from "../context/address.ts";
import type { TelegramContext } from "../context/chat-context.ts";
import { placeOf, receiptFor } from "../context/place.ts";
import { keepOwn } from "../media/own-files.ts";
import { escapeHtml } from "../messages/render.ts";

/** Drafts' pages as HTML. */
export const FORMAT: Format = {
  plain: escapeHtml,
  bold: (words) => `<b>${escapeHtml(words)}</b>`,
  faint: (words) => `<i>${escapeHtml(words)}</i>`,
  limitOf: ({ address }) => (address["form"] === "media" ? TELEGRAM.caption : TELEGRAM.text),
  // In a group only replies reach the bot.
  needsReply: ({ address }) => Number(address["chat"]) < 0,
};

/** What the draft is known by that a message shows. */
export const draftId = (chat: number, message: number) => `${chat}:${message}`;

/** Drafts, each in a message of its own. */
export const drafts = new DraftMessages<TelegramContext>({
  format: FORMAT,

  async post({ sender, origin }, page) {
    const place = addressOf(origin.address);
    const { chat } = place;
    const { message_id: message } = await sender.call(
      "sendMessage",
      { ...placeOf(place), text: page.text, ...contentOf(page) },
      { chat },
    );
    // Its language is the one that is spoken when something comes of it.
    const { locale: _, ...address } = receiptFor(place, { message, form: "text" });
    return { id: draftId(chat, message), address };
  },

  async edit({ sender, origin }, draft, page, picture) {
    const { chat, message, form } = receiptOf({ ...origin.address, ...draft.address });
    const where = { chat_id: chat, message_id: message };
    const { parse_mode, reply_markup } = contentOf(page);
    const caption = { caption: page.text, parse_mode };
    try {
      if (picture) {
        const media = { type: "photo", media: { source: picture }, ...caption } as const;
        await sender.call("editMessageMedia", { ...where, media, reply_markup }, { chat });
      } else if (form === "text") {
        await sender.call("editMessageText", { ...where, text: page.text, ...contentOf(page) }, { chat });
      } else {
        await sender.call("editMessageCaption", { ...where, ...caption, reply_markup }, { chat });
      }
      return true;
    } catch (error) {
      const meaning = meaningOf(error);
      if (meaning === "unmodified") return true;
      if (meaning === "message_gone") return false;
      throw error;
    }
  },

  pictured: (address) => ({ ...address, form: "media" }),
  keepFile: (context, bytes) => keepOwn(context, context.origin.user, bytes),
});

function contentOf({ rows }: DraftPage) {
  const keyboard = rows.map((row) => row.map(({ label, token }) => ({ text: label, callback_data: token })));
  return { parse_mode: "HTML", reply_markup: { inline_keyboard: keyboard } } as const;
}
