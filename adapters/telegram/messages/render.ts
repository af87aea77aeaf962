import type { InlineKeyboardMarkup } from "telegraf/types";
import type { View } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import type { Rows } from "../../kit/messages/buttons.ts";
import { type ChatMessage, type MessageLimits, messageOf } from "../../kit/messages/message.ts";
import { TELEGRAM } from "../api/limits.ts";

/** A message as Telegram takes it: HTML of the Bot API's kind, and its keyboard, which may be empty. */
export interface Rendered {
  readonly html: string;
  readonly keyboard: InlineKeyboardMarkup;
}

/** What Telegram takes of a message. */
export const MESSAGE: MessageLimits = {
  text: TELEGRAM.text,
  caption: TELEGRAM.caption,
  perRow: TELEGRAM.buttonsInRow,
  primaryAlone: true,
};

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text that Telegram shows as it is, also inside of a tag (https://core.telegram.org/bots/api#html-style). */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** Buttons as Telegram takes them. */
export const keyboardOf = (rows: Rows): InlineKeyboardMarkup => ({
  inline_keyboard: rows.map((row) => row.map(({ text, token }) => ({ text, callback_data: token }))),
});

/** A keyboard as a new message takes it: one without buttons is refused. */
export function withKeyboard(keyboard: InlineKeyboardMarkup): { reply_markup?: InlineKeyboardMarkup } {
  return keyboard.inline_keyboard.length > 0 ? { reply_markup: keyboard } : {};
}

/** A message that was cut before, so that no tag and no entity is. */
export const rendered = ({ text, rows }: ChatMessage): Rendered => ({
  html: escapeHtml(text),
  keyboard: keyboardOf(rows),
});

/** A view in the person's language; of what has a file, what is said under it. */
export const render = (say: Translate, view: View): Rendered => rendered(messageOf(say, view, MESSAGE));
