import type { InlineKeyboardMarkup } from "telegraf/types";
import { say as sayMessage } from "../../src/chat/say.ts";
import type { Action } from "../../src/chat/views.ts";
import type { Translate } from "../../src/i18n.ts";
import { rowsOf } from "./render.ts";

/** Buttons of the core, as an inline keyboard: their tokens are what Telegram sends back. */
export function keyboardFor(say: Translate, rows: readonly (readonly Action[])[]): InlineKeyboardMarkup {
  return {
    inline_keyboard: rows.map((row) =>
      row.map(({ token, label }) => ({ text: sayMessage(say, label), callback_data: token })),
    ),
  };
}

/** Buttons of the core beside and below each other. */
export const keyboardOf = (say: Translate, actions: readonly Action[]) => keyboardFor(say, rowsOf(actions));
