import type { FieldSpec } from "../../../src/seam/fields.ts";
import { ownToken } from "../../../src/seam/text/actions.ts";
import { cut } from "../../../src/seam/text/cut.ts";
import { type Button, inRows, type Rows } from "../messages/buttons.ts";
import type { Draft } from "./draft.ts";

/** The mark of the drafts' buttons. */
export const DRAFT = "d";

/** Characters of a button's label that can be read beside another, of one that stands alone, and of that on each phone. */
const LABEL = { beside: 34, alone: 64, onPhone: 40 } as const;

/** What a draft's message shows. */
export interface DraftPage {
  /** As the platform formats it. */
  readonly text: string;
  readonly rows: Rows;
}

/** How a platform formats pages, and how much of them it takes. */
export interface Format {
  /** Words that are shown as they are. */
  readonly plain: (words: string) => string;
  readonly bold: (words: string) => string;
  readonly faint: (words: string) => string;
  /** Words that somebody wrote themselves: behind a tap where others read along. */
  readonly own: (words: string, isPrivate: boolean) => string;
  /** Characters of a draft's page at most, as they are sent. */
  readonly limitOf: (draft: Draft) => number;
  /** Whether in a group only what replies to a draft reaches it. */
  readonly needsReply: boolean;
  /** Whether a draft in private asks in its own message for the key that it waits for. */
  readonly takesKeys: boolean;
  /** Whether buttons may stand in a list, where none stands beside another. */
  readonly inList: boolean;
}

/** Pages without markup. @param limit characters of a page at most */
export const plainFormat = (limit: number, { inList = false } = {}): Format => ({
  plain: (words) => words,
  bold: (words) => words,
  faint: (words) => words,
  own: (words) => words,
  limitOf: () => limit,
  needsReply: false,
  takesKeys: false,
  inList,
});

/** What a field comes to, as it is shown beside its name. */
export const valueIn = (
  { faint, own }: Pick<Format, "faint" | "own">,
  { control }: Pick<FieldSpec, "control">,
  value: string,
  isPrivate: boolean,
) => (control === "text" ? own(value, isPrivate) : faint(value));

/** A button of a draft. What it carries says what is to be, not what changes: pressed twice, it does no more. */
export function button(label: string, ...what: readonly (string | number)[]): Button {
  return { text: cut(label, LABEL.beside), token: ownToken(DRAFT, what.join(":")), style: "secondary" };
}

/** The button that goes on, in a row of its own, which may say more. */
export function wideButton(label: string, ...what: readonly (string | number)[]): Button {
  return { ...button(label, ...what), text: cut(label, LABEL.alone), style: "primary" };
}

/** The first of some labels that is read whole on each phone; the last where none is. */
export const readable = (...labels: readonly [...string[], string]): string =>
  labels.find((label) => Array.from(label).length <= LABEL.onPhone) ?? labels.at(-1) ?? "";

/** So many buttons as can be read beside each other. */
export const inPairs = (buttons: readonly Button[]): Rows => inRows(buttons, 2);

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
