import { say as sayMessage } from "../../../src/seam/text/say.ts";
import { ownAction } from "../../../src/seam/text/actions.ts";
import type { Action, MenuItem, Message } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";

/** A button as it is shown. */
export interface Button {
  readonly text: string;
  /** What a press sends back. */
  readonly token: string;
  readonly style: Action["style"];
}

/** The mark of buttons that run a command, or say how to send a photo. */
export const STEP = "s";

/** A button that does what a command does. */
export const step = (name: string, label: Message) => ownAction(STEP, name, label);

/** Buttons below a message, row by row. */
export type Rows = readonly (readonly Button[])[];

/** How buttons stand below a message. */
export interface ButtonLayout {
  /** How many stand beside each other at most. */
  readonly perRow: number;
  /** Whether they are chosen from a list, where none stands beside another. */
  readonly inList?: boolean;
  /** Whether each that spends or goes on stands before the others, in a row of its own. */
  readonly primaryAlone: boolean;
}

/** What can be done, as buttons beside and below each other. */
export function buttonRows(
  say: Translate,
  actions: readonly Action[] = [],
  { perRow, primaryAlone }: ButtonLayout,
): Rows {
  const buttons = actions.map((action) => buttonOf(say, action));
  const alone = primaryAlone ? buttons.filter(({ style }) => style === "primary") : [];
  const others = buttons.filter((button) => !alone.includes(button));
  return [...inRows(alone, 1), ...inRows(others, perRow)];
}

/** Buttons beside and below each other. @param width how many stand beside each other */
export function inRows(buttons: readonly Button[], width: number): Rows {
  const rows = Math.ceil(buttons.length / width);
  return Array.from({ length: rows }, (_, row) => buttons.slice(row * width, (row + 1) * width));
}

/**
 * A row for each item of a menu that has buttons, with its number: the buttons stand apart from the lines.
 * @param areApart whether they stand apart from each other, too: then each has the number
 */
export function itemRows(say: Translate, items: readonly MenuItem[], areApart = false): Rows {
  const rows = items.map(({ actions }, index) =>
    actions.map((action, nth) => {
      const button = buttonOf(say, action);
      return nth === 0 || areApart ? { ...button, text: `${index + 1}. ${button.text}` } : button;
    }),
  );
  return rows.filter((row) => row.length > 0);
}

/** A button in the person's language. */
export function buttonOf(say: Translate, { token, label, style }: Action): Button {
  return { text: sayMessage(say, label), token, style };
}
