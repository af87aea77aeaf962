import { createHash, randomUUID } from "node:crypto";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { GivenFiles } from "../../../src/seam/forms/offers.ts";
import { type Sheet, sheetOf } from "../../../src/seam/forms/sheet.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { Address, UserId, Values } from "../../../src/seam/values.ts";
import type { Form, Message, Problem } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { ChatContext } from "../pipeline/context.ts";

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

/** What of a draft is shown where a message is all of it; on `key` the key is asked for that it waits for. */
export type Screen = { readonly show: "main" | "more" | "key" } | FieldScreen;

/**
 * Something that a person is filling in: plain JSON. What is filled in is an operation, or a form that the core asked;
 * with neither, it is still to be chosen what is made of the files that were given.
 */
export interface Draft {
  /** By the message that shows it, or by what it began with: one for the whole platform. */
  readonly id: string;
  /** What names what is made of it, where an earlier version did so by its id alone: it may have begun under that name. */
  readonly request?: string;
  /** Only they can go on with it. */
  readonly owner: UserId;
  /** What its address has of its own, such as the message that shows it. Only the adapter reads it. */
  readonly address: Address;
  readonly given: GivenFiles;
  readonly operation?: string;
  readonly form?: Form;
  /** What is from a catalogue may be a name that was typed, and files may still be the platform's. */
  readonly values: Values;
  readonly screen: Screen;
  /** Whether two pictures that each have a field of their own changed places since they came. */
  readonly swapped?: boolean;
  /** Seconds of sounds, by their ids, as far as the platform says. */
  readonly seconds?: Readonly<Record<string, number>>;
  /** What was wrong with the last answer. */
  readonly problem?: Problem;
  /** What else came of it. */
  readonly note?: Message;
}

/** A field of somebody's draft, with all that is needed to change it. */
export interface DraftField<C extends ChatContext = ChatContext> {
  readonly context: C;
  readonly draft: Draft;
  readonly sheet: Sheet;
  readonly field: FieldSpec;
}

/** A draft that was not shown yet. */
export type NewDraft = Omit<Draft, "id" | "owner" | "address">;

/** What every draft begins with. */
export const BLANK = {
  given: { pictures: [], sounds: [] },
  values: {},
  screen: { show: "main" },
} as const satisfies NewDraft;

/** A draft without what came of the last answer. */
export function withoutProblem(draft: Draft): Draft {
  const { problem: _, note: _note, ...others } = draft;
  return others;
}

/** A draft of what the core asks: of an operation, where the form is one's. */
export function draftOf({ intake }: Pick<ChatContext, "intake">, form: Form): NewDraft {
  const { id, values } = form;
  const isOperation = intake.commands.some(({ name, kind }) => name === id && kind === "operation");
  return { ...BLANK, ...(isOperation ? { operation: id } : { form }), values };
}

/** What a draft fills in. @throws ReelayError `stale_button` for an operation that there is no more */
export function sheetFor({ intake }: Pick<ChatContext, "intake">, draft: NewDraft): Sheet {
  const sheet = sheetOf(draft, intake.commands);
  if (!sheet) throw new ReelayError("stale_button");
  return sheet;
}

/**
 * Where what comes of a draft goes. However often it is handed over, over restarts too, it makes one job: its request is
 * the draft itself.
 */
export function originFor(
  { origin }: Pick<ChatContext, "origin">,
  { id, address, request = `draft:${id}` }: Draft,
): Origin {
  return { ...origin, request: `${origin.platform}:${request}`, address: { ...origin.address, ...address } };
}

/** The id of a new draft, where no message that shows it is one for it: however often it is begun after a crash, it is one draft. */
export function newDraftId({ request = randomUUID() }: Pick<Origin, "request">): string {
  return createHash("sha256").update(request).digest("hex").slice(0, 16);
}
