import { randomUUID } from "node:crypto";
import { ownToken } from "../../../src/seam/text/actions.ts";
import { cut } from "../../../src/seam/text/cut.ts";
import type { Button } from "./buttons.ts";
import type { ChatNotes } from "./notes.ts";

/** The mark of the button that leads to more choices. */
export const MORE = "p";

/** What is said, with what can be chosen below it. */
export interface Spoken {
  readonly text: string;
  readonly buttons: readonly Button[];
  /** The draft that the choices are about. */
  readonly draft?: string | undefined;
}

/** How long words are where that is counted the strictest: in UTF-16, in which an emoji is two. */
export const unitsOf = (text: string): number => text.length;

/** How many choices a platform takes in one message that takes few, and how long their words may be. */
export interface ChoiceLimits {
  readonly buttons: number;
  readonly buttonTitle: number;
  readonly rows: number;
  readonly rowTitle: number;
  readonly rowDescription: number;
}

/** A row of a list. */
export interface ChoiceRow {
  readonly token: string;
  readonly title: string;
  /** All that it says, where the title has no room for that. */
  readonly description?: string;
}

/** Choices as they stand below a message. */
export type Choices =
  | { readonly as: "buttons"; readonly buttons: readonly Pick<Button, "token" | "text">[] }
  | { readonly as: "list"; readonly rows: readonly ChoiceRow[] };

/** What leads to the choices that one message has no room for. */
type MoreChoices = (from: number) => Pick<Button, "token" | "text">;

/**
 * Makes of choices what one message takes: buttons where they are few and short, else the rows of a list, page by page.
 * @param from the choice that is first
 * @param more leads to the next page
 */
export function choicesOf(
  buttons: readonly Button[],
  limits: ChoiceLimits,
  { from = 0, more }: { readonly from?: number; readonly more: MoreChoices },
): Choices {
  const all = [...new Map(buttons.map((button) => [button.token, button])).values()];
  const fits = all.every(({ text }) => unitsOf(text) <= limits.buttonTitle);
  const areDifferent = new Set(all.map(({ text }) => text)).size === all.length;
  if (all.length <= limits.buttons && fits && areDifferent) return { as: "buttons", buttons: all };
  const left = all.slice(from);
  const isLast = left.length <= limits.rows;
  const shown = isLast ? left : left.slice(0, limits.rows - 1);
  const next = isLast ? [] : [rowOf(more(from + shown.length), limits)];
  return { as: "list", rows: [...shown.map((button) => rowOf(button, limits)), ...next] };
}

/**
 * The same where there is no list, such as below a file: as many buttons as there is room for, and one that leads to all. What would be cut
 * is in the list alone, where it stands in whole: its end may be what it costs.
 * @param more leads to a list of them
 */
export function fewOf(
  buttons: readonly Button[],
  { buttons: most, buttonTitle }: ChoiceLimits,
  more: MoreChoices,
): readonly Pick<Button, "token" | "text">[] {
  const whole = buttons.filter(({ text }) => unitsOf(text) <= buttonTitle);
  const areDifferent = new Set(whole.map(({ text }) => text)).size === whole.length;
  const fitting = areDifferent ? whole.map(({ token, text }) => ({ token, text })) : [];
  if (fitting.length === buttons.length && fitting.length <= most) return fitting;
  return [...fitting.slice(0, most - 1), more(0)];
}

function rowOf(
  { token, text }: Pick<Button, "token" | "text">,
  { rowTitle, rowDescription }: ChoiceLimits,
): ChoiceRow {
  const title = cut(text, rowTitle, unitsOf);
  return { token, title, ...(title !== text && { description: cut(text, rowDescription, unitsOf) }) };
}

/** What is left to be chosen of something that is said in a chat: a button carries no more than where that is remembered. */
export class MoreLeft {
  readonly #id = randomUUID().slice(0, 8);
  readonly #said: Spoken;
  readonly #label: string;
  #isUsed = false;

  /**
   * @param said what is remembered
   * @param label of the button that leads there
   * @param text the words that more of it is shown with, where others say what it is about: of a draft nothing else does
   */
  constructor(said: Spoken, label: string, text: string) {
    this.#said = said.draft === undefined ? { ...said, text } : said;
    this.#label = label;
  }

  readonly button: MoreChoices = (from) => {
    this.#isUsed = true;
    return { token: ownToken(MORE, `${this.#id}:${from}`), text: this.#label };
  };

  /** Remembers it, where a button leads there. */
  async keep(notes: ChatNotes, chat: string): Promise<void> {
    if (this.#isUsed) await notes.keep(chat, `more:${this.#id}`, this.#said);
  }
}

/** What a button led to that {@link MoreLeft} made; undefined where that was too long ago, or it made none. */
export async function moreBehind(
  notes: ChatNotes,
  chat: string,
  pressed: string,
): Promise<{ readonly said: Spoken; readonly from: number } | undefined> {
  const [, id, from] = /^(\w+):(\d+)$/.exec(pressed) ?? [];
  const said = id === undefined ? undefined : await notes.find<Spoken>(chat, `more:${id}`);
  return said && Number(from) < said.buttons.length ? { said, from: Number(from) } : undefined;
}

/** What a choice carries: with the draft that it is about, where no message of that is changed, so that any of them may be pressed. */
export const choiceId = ({ draft }: Spoken, token: string) =>
  draft === undefined ? token : `${draft}|${token}`;

/** The token, and the draft, that {@link choiceId} wrote. */
export function chosenIn(id: string): { readonly token: string; readonly draft: string | undefined } {
  const [, draft, token = id] = /^([0-9a-f]{16})\|([^]*)$/.exec(id) ?? [];
  return { token, draft };
}
