import type { InlineKeyboardMarkup } from "telegraf/types";
import { cut } from "../../../src/chat/cut.ts";
import { linesOf } from "../../../src/chat/lines.ts";
import type { View } from "../../../src/chat/views.ts";
import type { Translate } from "../../../src/i18n.ts";
import { keyboardOf, menuKeyboard } from "./keyboard.ts";
import { TELEGRAM } from "../api/limits.ts";

/** A view as a message: HTML of the Bot API's kind, and its keyboard, which may be empty. */
export interface Rendered {
  readonly html: string;
  readonly keyboard: InlineKeyboardMarkup;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text that Telegram shows as it is, also inside of a tag (https://core.telegram.org/bots/api#html-style). */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** A view in the person's language; of what has a file, what is said under it. */
export function render(say: Translate, view: View): Rendered {
  const isCaption = view.kind === "result" || view.kind === "file";
  const limit = isCaption ? TELEGRAM.caption : TELEGRAM.text;
  // Cut before it is escaped, so that no tag and no entity ever is.
  const text = cut(linesOf(say, view, Date.now()).join("\n"), limit);
  const keyboard =
    view.kind === "menu" ? menuKeyboard(say, view.items, view.actions) : keyboardOf(say, view.actions);
  return { html: escapeHtml(text), keyboard };
}
