import type { InlineKeyboardMarkup } from "telegraf/types";
import { unsaid } from "../../../src/seam/text/notices.ts";
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

/** Words behind a tap, as HTML. */
export const covered = (words: string) => `<tg-spoiler>${escapeHtml(words)}</tg-spoiler>`;

/** Somebody by a name, who is called by it, as HTML (API, "HTML style"). */
export const mention = (user: number, name: string) =>
  `<a href="tg://user?id=${user}">${escapeHtml(name)}</a>`;

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

/**
 * A view in the person's language; of what has a file, what is said under it.
 * @param isShared whether others read along: what somebody wrote is behind a tap there, with all that stands beside it, and
 * what they have left is not said
 */
export function render(say: Translate, view: View, isShared = false): Rendered {
  const shown = isShared && view.kind === "problem" ? { ...view, problem: unsaid(view.problem) } : view;
  const message = messageOf(say, shown, MESSAGE);
  const isOwn = "facts" in view && view.facts?.some(({ own }) => own);
  if (!isShared || !isOwn) return rendered(message);
  const [text = "", ...facts] = message.text.split("\n\n");
  return { ...rendered(message), html: `${escapeHtml(text)}\n\n${covered(facts.join("\n\n"))}` };
}
