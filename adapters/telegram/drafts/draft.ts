import type { Given } from "../../../src/chat/offers.ts";
import type { UserId, Values } from "../../../src/chat/values.ts";
import type { Form, Problem } from "../../../src/chat/views.ts";
import type { TelegramReceipt } from "../context/address.ts";

/** A field that is open. */
export interface FieldScreen {
  readonly show: "field";
  readonly field: string;
  /** In a catalogue: which page, of which category (by its code, "" for all), of what matches these words. */
  readonly page?: number;
  readonly category?: string;
  readonly words?: string;
  /** In a mask: which of the nine regions are chosen. */
  readonly regions?: readonly number[];
}

/** What of a draft its message shows. */
export type Screen = { readonly show: "main" | "more" } | FieldScreen;

/**
 * Something that a person is filling in: plain JSON, kept under the one message that shows it.
 * What is filled in is an operation, or a form that the core asked; with neither, it is still to be chosen what
 * is made of the files that were given.
 */
export interface Draft {
  /** Only they can press its buttons and answer it. */
  readonly owner: UserId;
  /** The message, and where what is made goes. */
  readonly receipt: TelegramReceipt;
  readonly given: Given;
  readonly operation?: string;
  readonly form?: Form;
  readonly values: Values;
  readonly screen: Screen;
  /** Seconds of sounds, by their ids, as Telegram says. */
  readonly seconds: Readonly<Record<string, number>>;
  /** What was wrong with the last answer. */
  readonly problem?: Problem;
}

/** A draft that was not shown yet. */
export type NewDraft = Omit<Draft, "receipt" | "owner">;

/** A draft without what was wrong with the last answer. */
export function withoutProblem(draft: Draft): Draft {
  const { problem: _, ...others } = draft;
  return others;
}
