import type { Draft, Screen } from "../../adapters/kit/drafts/draft.ts";
import type { DraftState } from "../../adapters/kit/drafts/state.ts";
import { COMMAND_SPECS } from "../../src/domain/dispatch/registry.ts";
import type { AskedStatement, CommandSpec, FieldSpec, Suggestion } from "../../src/seam/fields.ts";
import { applicable, firstMissing } from "../../src/seam/forms/filling.ts";
import { sheetOf } from "../../src/seam/forms/sheet.ts";
import { type MediaRef, STATEMENT_NAMES, type Value, type Values } from "../../src/seam/values.ts";

/** Everything that can be made. */
export const OPERATIONS = COMMAND_SPECS.filter(({ kind }) => kind === "operation");

const long = "a very long title & <description> ".repeat(200);
/** A picture that somebody sent. */
export const picture: MediaRef = { surface: "telegram", id: "x".repeat(90) };
const entries: Suggestion[] = Array.from({ length: 40 }, (_, nth) => ({
  value: `${long}${nth}`,
  title: `${long}${nth}`,
  category: `${long}${nth % 3}`,
  marks: ["new"],
  variants: 2,
}));

/** The longest that a field may hold. */
export function fullest({ control, choices, maxItems = 1, max = 1e9 }: FieldSpec): Value {
  if (control === "image" || control === "mask") return picture;
  if (control === "images" || control === "sounds") return Array.from({ length: maxItems }, () => picture);
  if (control === "switch") return true;
  if (control === "number") return max;
  return choices?.at(-1)?.value ?? long;
}

/** A draft of an operation, as it is shown. */
export function state(
  { name, fields }: CommandSpec,
  values: Values,
  screen: Screen,
  form: "text" | "media",
  asks: readonly AskedStatement[] = [],
): Omit<DraftState, "say"> {
  const draft: Draft = {
    id: "-1:1",
    owner: "telegram:1",
    address: { chat: -1, message: 1, form },
    given: { pictures: [picture], sounds: [] },
    operation: name,
    values,
    screen,
  };
  const sheet = sheetOf(draft, COMMAND_SPECS);
  if (!sheet) throw new Error(`There is no ${name}.`);
  return {
    draft,
    isPrivate: true,
    sheet,
    fields: applicable(fields, values),
    missing: firstMissing(fields, values),
    obstacle: undefined,
    quote: {
      tokens: 2.7,
      basis: "learned",
      balance: 1_000_000,
      asks,
    },
    chosen: {},
    entries,
    problem: { code: "field_invalid", params: { field: "prompt", wanted: long.slice(0, 200) } },
  };
}

const everyStatement = STATEMENT_NAMES.map((name) => ({ name, version: "1" }));

/** Every screen of an operation: nothing chosen, and everything. */
export function screens(operation: CommandSpec): Omit<DraftState, "say">[] {
  const everything = Object.fromEntries(operation.fields.map((field) => [field.name, fullest(field)]));
  const open = operation.fields.flatMap(({ name: field }) => [
    { show: "field", field } as const,
    { show: "field", field, category: "", page: 1, regions: [0, 4, 8] } as const,
    { show: "field", field, words: long } as const,
  ]);
  return [{}, everything].flatMap((values) =>
    [{ show: "main" } as const, { show: "more" } as const, ...open].flatMap((screen) => [
      state(operation, values, screen, "text"),
      state(operation, values, screen, "media"),
      state(operation, values, screen, "text", everyStatement),
      state(operation, values, screen, "media", everyStatement),
      { ...state(operation, values, screen, "text", everyStatement), isPrivate: false },
      { ...state(operation, values, screen, "media"), isPrivate: false },
    ]),
  );
}
