import type { InlineKeyboardMarkup } from "telegraf/types";
import { say as sayMessage } from "../../../src/chat/say.ts";
import type { Action, MenuItem } from "../../../src/chat/views.ts";
import type { Translate } from "../../../src/i18n.ts";
import { TELEGRAM } from "../api/limits.ts";

/** Buttons beside and below each other: the one that spends or goes on stands first and alone. */
export function keyboardOf(say: Translate, actions: readonly Action[] = []): InlineKeyboardMarkup {
  const rows = actions.filter(({ style }) => style === "primary").map((action) => [action]);
  const others = actions.filter(({ style }) => style !== "primary");
  for (let at = 0; at < others.length; at += TELEGRAM.buttonsInRow)
    rows.push(others.slice(at, at + TELEGRAM.buttonsInRow));
  return { inline_keyboard: rows.map((row) => row.map((action) => buttonOf(say, action))) };
}

/** A row for each item of a menu that has buttons, with its number: the keyboard stands apart from the lines. */
export function menuKeyboard(
  say: Translate,
  items: readonly MenuItem[],
  actions?: readonly Action[],
): InlineKeyboardMarkup {
  const rows = items.map((item, index) =>
    item.actions.map((action, nth) => {
      const button = buttonOf(say, action);
      return nth === 0 ? { ...button, text: `${index + 1}. ${button.text}` } : button;
    }),
  );
  const below = keyboardOf(say, actions).inline_keyboard;
  return { inline_keyboard: [...rows.filter((row) => row.length > 0), ...below] };
}

/** A keyboard as a new message takes it: one without buttons is refused. */
export function withKeyboard(keyboard: InlineKeyboardMarkup): { reply_markup?: InlineKeyboardMarkup } {
  return keyboard.inline_keyboard.length > 0 ? { reply_markup: keyboard } : {};
}

/** Its token is what Telegram sends back. */
function buttonOf(say: Translate, { token, label }: Action) {
  return { text: sayMessage(say, label), callback_data: token };
}
