import { codeOf } from "../../../src/seam/browse/catalogues.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { firstMissing, wordsField } from "../../../src/seam/forms/filling.ts";
import { fewNumbers } from "../../../src/seam/forms/numbers.ts";
import { type Sheet, sheetOf } from "../../../src/seam/forms/sheet.ts";
import { mediaIn, type Value } from "../../../src/seam/values.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { withField, withScreen } from "./change.ts";
import { type Draft, type DraftField, type FieldScreen, withoutProblem } from "./draft.ts";
import { mark } from "./mask.ts";
import type { DraftMessages } from "./messages.ts";
import { swap } from "./pair.ts";
import { beginning } from "./start.ts";
import { readRegions } from "./page-mask.ts";
import { readPressed } from "./submit.ts";

/** A button that changes a field of a draft. */
interface Press extends DraftField {
  /** What the button carries behind the field's name. */
  readonly what: string;
}

/** What a button makes of a draft; undefined for one that has lost its meaning. */
type Change = (press: Press) => Draft | undefined | Promise<Draft | undefined>;

const FIELD_CHANGES: Readonly<Record<string, Change>> = {
  open: ({ draft, field }) => withScreen(draft, { show: "field", field: field.name }),
  set: setValue,
  clear: ({ draft, sheet, field }) => withField(draft, sheet, field, undefined),
  /** Keeps so many files of it. */
  keep: ({ draft, sheet, field, what }) => {
    const files = mediaIn(draft.values[field.name]).slice(0, Number(what));
    return { ...withField(draft, sheet, field, files), screen: { show: "field", field: field.name } };
  },
  choose: chooseEntry,
  category: (press) => look(press, { category: press.what }),
  page: (press) => look(press, { page: Number(press.what) }),
  regions: (press) => look(press, { regions: readRegions(press.what) }),
};

/**
 * Presses a button of a draft. One that has lost its meaning shows those that the draft has now.
 * @param what as the button carries it
 */
export async function press<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  draft: Draft,
  what: string,
): Promise<unknown> {
  const [verb, name, ...rest] = what.split(":");
  const sheet = sheetOf(draft, context.intake.commands);
  const field = sheet?.fields.find((one) => one.name === name);
  if (verb === "cancel") return drafts.cancel(context, draft);
  if (verb === "submit" && sheet && !firstMissing(sheet.fields, draft.values))
    return drafts.submit(context, draft, await readPressed(context, draft, [name, ...rest]));
  if (verb === "mark" && sheet && field)
    return drafts.attempt(context, draft, () =>
      mark(drafts, { context, draft, sheet, field }, readRegions(rest.join(":"))),
    );
  return drafts.show(context, (await pressed(context, draft, what)) ?? draft);
}

/** What a button that only changes the draft makes of it; undefined for one that has lost its meaning. */
async function pressed(context: ChatContext, draft: Draft, what: string): Promise<Draft | undefined> {
  const [verb = "", name = "", ...rest] = what.split(":");
  if (verb === "again") return withoutProblem(draft);
  if (verb === "make") {
    const begun = beginning(context, draft.given, name);
    return begun && { ...withoutProblem(draft), ...begun };
  }
  const sheet = sheetOf(draft, context.intake.commands);
  if (!sheet) return undefined;
  if (verb === "more" || verb === "key") return withScreen(draft, { show: verb });
  if (verb === "back") return goBack(draft, sheet);
  if (verb === "swap") return swap(draft, sheet.fields, name);
  const field = sheet.fields.find((one) => one.name === name);
  return field && FIELD_CHANGES[verb]?.({ context, draft, sheet, field, what: rest.join(":") });
}

/** One step back: out of a field, out of more options, out of the operation. */
function goBack(draft: Draft, sheet: Sheet): Draft {
  const { screen } = draft;
  if (screen.show === "field") {
    if (screen.category !== undefined || screen.words !== undefined)
      return withScreen(draft, { show: "field", field: screen.field });
    const field = sheet.fields.find(({ name }) => name === screen.field);
    return withScreen(draft, { show: field?.advanced ? "more" : "main" });
  }
  if (screen.show !== "main") return withScreen(draft, { show: "main" });
  const { operation: _, ...rest } = withoutProblem(draft);
  const words = draft.values[wordsField(sheet.fields)?.name ?? ""];
  return { ...rest, values: {}, given: { ...draft.given, ...(typeof words === "string" && { words }) } };
}

/** A number that is reached step by step stays open. */
function setValue({ draft, sheet, field, what }: Press): Draft | undefined {
  const value = valueOf(field, what);
  if (value === undefined) return undefined;
  const changed = withField(draft, sheet, field, value);
  const isStep = field.control === "number" && fewNumbers(field) === undefined;
  return isStep ? { ...changed, screen: { show: "field", field: field.name } } : changed;
}

function valueOf({ control, choices }: FieldSpec, what: string): Value | undefined {
  if (control === "switch") return what === "1";
  if (control === "number") return Number.isFinite(Number(what)) ? Number(what) : undefined;
  return choices?.find(({ value }) => String(value) === what)?.value;
}

/** Chooses from the catalogue; where the entry has variants, they come next. */
async function chooseEntry({ context, draft, sheet, field, what }: Press): Promise<Draft | undefined> {
  const { intake, origin } = context;
  const entries = await intake.suggest(origin, sheet.name, field.name, "", draft.values);
  const entry = entries.find(({ value }) => codeOf(value) === what);
  if (!entry) return undefined;
  const changed = withField(draft, sheet, field, entry.value);
  const variants = entry.variants > 0 && sheet.fields.find(({ within }) => within === field.name);
  return variants ? { ...changed, screen: { show: "field", field: variants.name } } : changed;
}

function look({ draft, field }: Press, at: Omit<FieldScreen, "show" | "field">): Draft {
  const { screen } = draft;
  const open = screen.show === "field" && screen.field === field.name ? screen : {};
  return withScreen(draft, { ...open, show: "field", field: field.name, ...at });
}
