import { cut } from "../../../src/chat/cut.ts";
import type { InlineKeyboardButton } from "telegraf/types";
import { ownButton } from "../context/context.ts";
import { TELEGRAM } from "../api/limits.ts";
import { escapeHtml } from "../messages/render.ts";

/** The mark of the drafts' buttons. */
export const DRAFT = "d";

/** Characters of a button's label that can be read beside another, and of one that stands alone. */
const LABEL = { beside: 34, alone: 64 } as const;

/** What a draft's message shows: HTML and buttons. */
export interface Page {
  readonly text: string;
  readonly rows: readonly (readonly InlineKeyboardButton[])[];
}

/** A button of a draft. What it carries says what is to be, not what changes: pressed twice, it does no more. */
export function button(label: string, ...what: readonly (string | number)[]): InlineKeyboardButton {
  return { text: cut(label, LABEL.beside), callback_data: ownButton(DRAFT, what.join(":")) };
}

/** A button in a row of its own, which may say more. */
export function wideButton(label: string, ...what: readonly (string | number)[]): InlineKeyboardButton {
  return { ...button(label, ...what), text: cut(label, LABEL.alone) };
}

/** Buttons beside and below each other. */
export function inRows(
  buttons: readonly InlineKeyboardButton[],
  width: number = TELEGRAM.buttonsInRow,
): (readonly InlineKeyboardButton[])[] {
  const rows = Math.ceil(buttons.length / width);
  return Array.from({ length: rows }, (_, row) => buttons.slice(row * width, (row + 1) * width));
}

export const bold = (words: string) => `<b>${escapeHtml(words)}</b>`;
export const faint = (words: string) => `<i>${escapeHtml(words)}</i>`;

/**
 * Puts paragraphs together; the lines of the one that may be cut give way where it becomes too long.
 * @param limit characters; tags are counted too, so that it is never more
 */
export function paragraphs(limit: number, before: string, lines: readonly string[], after: string): string {
  const whole = (shown: readonly string[]) =>
    [before, shown.join("\n"), after].filter((paragraph) => paragraph !== "").join("\n\n");
  let shown = lines;
  for (let count = lines.length - 1; count >= 0 && whole(shown).length > limit; count--)
    shown = [...lines.slice(0, count), "…"];
  return whole(shown);
}
