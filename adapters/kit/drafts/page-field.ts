import type { FieldSpec } from "../../../src/seam/fields.ts";
import { effective } from "../../../src/seam/forms/filling.ts";
import { fewNumbers, steps } from "../../../src/seam/forms/numbers.ts";
import { shownValue } from "../../../src/seam/forms/shown-value.ts";
import { mediaIn } from "../../../src/seam/values.ts";
import { askFor } from "./ask.ts";
import type { FieldScreen } from "./draft.ts";
import { catalogueRows } from "./page-catalogue.ts";
import { maskRows } from "./page-mask.ts";
import { button, type DraftButton, type Format, inRows, type PageRows } from "./page-parts.ts";
import type { DraftState } from "./state.ts";

/** Numbers are short: so many fit beside each other. */
const NUMBERS_IN_ROW = 4;

/** How one field is filled in: its lines, and its buttons with the way back below them. */
export function fieldPage(
  { plain, bold, faint }: Format,
  state: DraftState,
  field: FieldSpec,
  screen: FieldScreen,
): { readonly lines: readonly string[]; readonly rows: PageRows } {
  const { say, draft, chosen } = state;
  const value = shownValue(say, field, draft.values, chosen);
  const nothingFound = screen.words !== undefined && state.entries.length === 0;
  const lines = [
    bold(say(field.label)),
    ...(field.hint ? [plain(say(field.hint))] : []),
    ...(value === undefined ? [] : [`${plain(say("draft.now"))} ${faint(value)}`]),
    "",
    `👉 ${plain(nothingFound ? say("browse.none") : askFor(say, field))}`,
  ];
  return { lines, rows: [...controlRows(state, field, screen), lastRow(state, field)] };
}

function controlRows(state: DraftState, field: FieldSpec, screen: FieldScreen): PageRows {
  switch (field.control) {
    case "choice":
      return inRows(
        (field.choices ?? []).map(({ value, label }) => pick(state, field, value, label && state.say(label))),
      );
    case "number":
      return numberRows(state, field);
    case "catalogue":
      return catalogueRows(state, field, screen);
    case "mask":
      return maskRows(state.say, field, screen.regions ?? []);
    default:
      return [];
  }
}

function numberRows(state: DraftState, field: FieldSpec): PageRows {
  const few = fewNumbers(field);
  if (few)
    return inRows(
      few.map((number) => pick(state, field, number)),
      NUMBERS_IN_ROW,
    );
  const now = effective(field, state.draft.values);
  if (typeof now !== "number") return [];
  return inRows(
    steps(field, now).map((number) => pick(state, field, number)),
    NUMBERS_IN_ROW,
  );
}

function pick(
  { draft }: DraftState,
  field: FieldSpec,
  value: string | number,
  label = String(value),
): DraftButton {
  const isNow = effective(field, draft.values) === value;
  return button(isNow ? `✓ ${label}` : label, "set", field.name, value);
}

function lastRow({ say, draft }: DraftState, field: FieldSpec): readonly DraftButton[] {
  const { name, required, control } = field;
  const count = mediaIn(draft.values[name]).length;
  const isList = control === "images" || control === "sounds";
  const back = button(say("action.back"), "back");
  if (isList && count > 0) return [button(say("draft.remove_last"), "keep", name, count - 1), back];
  if (!required && !isList && draft.values[name] !== undefined)
    return [button(say("draft.clear"), "clear", name), back];
  return [back];
}
