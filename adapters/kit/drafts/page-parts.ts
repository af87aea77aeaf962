import { ownToken } from "../../../src/seam/text/actions.ts";
import { cut } from "../../../src/seam/text/cut.ts";
import type { Draft } from "./draft.ts";

/** The mark of the drafts' buttons. */
export const DRAFT = "d";

/** Characters of a button's label that can be read beside another, and of one that stands alone. */
const LABEL = { beside: 34, alone: 64 } as const;

/** So many buttons can be read beside each other. */
const IN_ROW = 2;

/** A button below a page: what it says, and what it hands back. */
export interface DraftButton {
  readonly label: string;
  readonly token: string;
}

/** Buttons beside and below each other. */
export type PageRows = readonly (readonly DraftButton[])[];

/** What a draft's message shows. */
export interface DraftPage {
  /** As the platform formats it. */
  readonly text: string;
  readonly rows: PageRows;
}

/** How a platform formats pages, and how much of them it takes. */
export interface Format {
  /** Words that are shown as they are. */
  readonly plain: (words: string) => string;
  readonly bold: (words: string) => string;
  readonly faint: (words: string) => string;
  /** Characters of a draft's page at most, as they are sent. */
  readonly limitOf: (draft: Draft) => number;
  /** Whether only what replies to a draft reaches it. */
  readonly needsReply: (draft: Draft) => boolean;
}

/** A button of a draft. What it carries says what is to be, not what changes: pressed twice, it does no more. */
export function button(label: string, ...what: readonly (string | number)[]): DraftButton {
  return { label: cut(label, LABEL.beside), token: ownToken(DRAFT, what.join(":")) };
}

/** A button in a row of its own, which may say more. */
export function wideButton(label: string, ...what: readonly (string | number)[]): DraftButton {
  return { ...button(label, ...what), label: cut(label, LABEL.alone) };
}

/** Buttons beside and below each other. */
export function inRows(buttons: readonly DraftButton[], width: number = IN_ROW): PageRows {
  const rows = Math.ceil(buttons.length / width);
  return Array.from({ length: rows }, (_, row) => buttons.slice(row * width, (row + 1) * width));
}

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
