import type { FieldSpec, Quote, Suggestion } from "../../../src/chat/fields.ts";
import { applicable, firstMissing } from "../../../src/chat/filling.ts";
import type { Sheet } from "../../../src/chat/sheet.ts";
import type { Chosen } from "../../../src/chat/shown-value.ts";
import type { Problem } from "../../../src/chat/views.ts";
import { asReelayError } from "../../../src/errors.ts";
import type { Translate } from "../../../src/i18n.ts";
import type { Draft } from "./draft.ts";
import type { ChatContext } from "../context/chat-context.ts";

/** A draft with everything that its message shows. */
export interface DraftState {
  readonly say: Translate;
  readonly draft: Draft;
  readonly sheet: Sheet;
  /** The fields that can be filled in now. */
  readonly fields: readonly FieldSpec[];
  /** The first that has to be. */
  readonly missing: FieldSpec | undefined;
  /** Once nothing is missing. */
  readonly quote: Quote | undefined;
  readonly chosen: Chosen;
  /** Of the catalogue that is open. */
  readonly entries: readonly Suggestion[];
  readonly problem: Problem | undefined;
}

/** Asks the core for what a draft shows. What it cannot tell becomes the problem that is shown. */
export async function stateOf(context: ChatContext, draft: Draft, sheet: Sheet): Promise<DraftState> {
  const { intake, origin, say } = context;
  const { values, screen } = draft;
  let { problem } = draft;
  const told = async <T>(asked: Promise<T>): Promise<T | undefined> => {
    try {
      return await asked;
    } catch (error) {
      const { code, params } = asReelayError(error);
      problem ??= { code, params };
      return undefined;
    }
  };
  const chosen = Object.fromEntries(
    await Promise.all(
      sheet.fields
        .filter(({ name, catalogue }) => catalogue !== undefined && values[name] !== undefined)
        .map(async (field) => [field.name, await told(chosenEntry(context, sheet, field, draft))] as const),
    ),
  );
  const open = screen.show === "field" && sheet.fields.find(({ name }) => name === screen.field);
  const words = screen.show === "field" ? (screen.words ?? "") : "";
  const entries =
    open && open.catalogue !== undefined ? await told(entriesOf(context, sheet, open, words, draft)) : [];
  const missing = firstMissing(sheet.fields, values);
  const quote = missing || !sheet.costs ? undefined : await told(intake.quote(origin, sheet.name, values));
  return {
    say,
    draft,
    sheet,
    // A template without variants has none to choose from.
    fields: applicable(sheet.fields, values).filter(
      ({ within }) => within === undefined || chosen[within]?.variants !== 0,
    ),
    missing,
    quote,
    chosen,
    entries: entries ?? [],
    problem,
  };
}

/** Entries of a field's catalogue. */
export async function entriesOf(
  { intake, origin }: ChatContext,
  { name }: Sheet,
  field: FieldSpec,
  words: string,
  { values }: Draft,
): Promise<readonly Suggestion[]> {
  return intake.suggest(origin, name, field.name, words, values);
}

async function chosenEntry(context: ChatContext, sheet: Sheet, field: FieldSpec, draft: Draft) {
  const entries = await entriesOf(context, sheet, field, "", draft);
  return entries.find(({ value }) => value === draft.values[field.name]);
}
