import { DraftMessages } from "../../kit/drafts/messages.ts";
import type { DraftPage, Format } from "../../kit/drafts/page-parts.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { ifThere, meaningOf } from "../api/errors.ts";
import { TELEGRAM } from "../api/limits.ts";
import { addressOf, placeOf, receiptFor, receiptOf, whereIs } from "../context/address.ts";
import type { TelegramContext } from "../context/chat-context.ts";
import { lackingFor } from "../context/rights.ts";
import { covered, escapeHtml, keyboardOf } from "../messages/render.ts";

/** Drafts' pages as HTML. */
export const FORMAT: Format = {
  plain: escapeHtml,
  bold: (words) => `<b>${escapeHtml(words)}</b>`,
  faint: (words) => `<i>${escapeHtml(words)}</i>`,
  own: (words, isPrivate) => (isPrivate ? `<i>${escapeHtml(words)}</i>` : covered(words)),
  limitOf: ({ address }) => (address["form"] === "media" ? TELEGRAM.caption : TELEGRAM.text),
  // In a group only replies reach the bot.
  needsReply: true,
  takesKeys: true,
  inList: false,
};

/** What the draft is known by that a message shows. */
export const draftId = (chat: number, message: number) => `${chat}:${message}`;

/** Drafts, each in a message of its own. */
export const drafts = new DraftMessages<TelegramContext>({
  format: FORMAT,

  async post({ sender, origin, ...services }, page) {
    const place = addressOf(origin.address);
    const { chat } = place;
    const sent = await sender
      .call("sendMessage", { ...placeOf(place), text: page.text, ...contentOf(page) }, { chat })
      .catch(async (cause: unknown) => {
        const why =
          meaningOf(cause) === "unreachable" && (await lackingFor({ ...services, sender }, place, "video"));
        throw why && why !== "unknown" ? new ReelayError(why.code, why.params, { cause }) : cause;
      });
    // Its language is the one that is spoken when something comes of it.
    const { locale: _, ...address } = receiptFor(place, { ...whereIs(sent), form: "text" });
    return { id: draftId(address.chat, address.message), address };
  },

  async edit({ sender, origin }, draft, page, picture) {
    const { chat, message, form } = receiptOf({ ...origin.address, ...draft.address });
    const where = { chat_id: chat, message_id: message };
    const { parse_mode, reply_markup } = contentOf(page);
    const caption = { caption: page.text, parse_mode };
    return ifThere(() => {
      if (picture) {
        const media = { type: "photo", media: { source: picture }, ...caption } as const;
        return sender.call("editMessageMedia", { ...where, media, reply_markup }, { chat });
      }
      return form === "text"
        ? sender.call("editMessageText", { ...where, text: page.text, ...contentOf(page) }, { chat })
        : sender.call("editMessageCaption", { ...where, ...caption, reply_markup }, { chat });
    });
  },

  pictured: (address) => ({ ...address, form: "media" }),
});

const contentOf = ({ rows }: DraftPage) => ({ parse_mode: "HTML", reply_markup: keyboardOf(rows) }) as const;
