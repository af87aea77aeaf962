import type { FieldSpec } from "../../../src/seam/fields.ts";
import { effective } from "../../../src/seam/forms/filling.ts";
import { fewNumbers, steps } from "../../../src/seam/forms/numbers.ts";
import { shownValue } from "../../../src/seam/forms/shown-value.ts";
import { mediaIn } from "../../../src/seam/values.ts";
import { hasMessage, type Translate } from "../../../src/common/i18n.ts";
import { type Button, inRows, type Rows } from "../messages/buttons.ts";
import type { FieldScreen } from "./draft.ts";
import { catalogueRows } from "./page-catalogue.ts";
import { maskRows, regionNames } from "./page-mask.ts";
import { button, type Format, inPairs, valueIn } from "./page-parts.ts";
import type { DraftState } from "./state.ts";

/** Numbers are short: so many fit beside each other. */
const NUMBERS_IN_ROW = 4;

/** How one field is filled in: its lines, and its buttons with the way back below them. */
export function fieldPage(
  format: Format,
  state: DraftState,
  field: FieldSpec,
  screen: FieldScreen,
): { readonly lines: readonly string[]; readonly rows: Rows } {
  const { say, draft, chosen, isPrivate } = state;
  const { plain, bold } = format;
  // Nobody sees of a list that is closed what of it is chosen.
  const regions = format.inList ? regionNames(say, screen.regions ?? []) : "";
  const value = regions || shownValue(say, field, draft.values, chosen);
  const nothingFound = screen.words !== undefined && state.entries.length === 0;
  const lines = [
    bold(say(field.label)),
    ...(field.hint ? [plain(say(field.hint))] : []),
    ...(value === undefined
      ? []
      : [`${plain(say("draft.now"))} ${valueIn(format, field, value, isPrivate)}`]),
    "",
    `👉 ${plain(nothingFound ? say("browse.none") : askFor(say, field))}`,
  ];
  return {
    lines,
    rows: [...controlRows(format, state, field, screen), ...lastRows(format, state, field, screen)],
  };
}

/** How a field is asked for: in its own words, where the language has such. */
export function askFor(say: Translate, { label, control, maxItems = 1 }: FieldSpec): string {
  const own = `draft.ask.${label.replace("field.", "")}`;
  const like = control === "secret" ? "text" : control === "switch" ? "choice" : control;
  return say(hasMessage(own) ? own : `draft.ask.${like}`, { field: say(label), max: maxItems });
}

function controlRows(format: Format, state: DraftState, field: FieldSpec, screen: FieldScreen): Rows {
  switch (field.control) {
    case "choice":
      return inPairs(
        (field.choices ?? []).map(({ value, label }) => pick(state, field, value, label && state.say(label))),
      );
    case "number":
      return numberRows(state, field);
    case "catalogue":
      return catalogueRows(state, field, screen);
    case "mask":
      return maskRows(format, state.say, field, screen.regions ?? []);
    default:
      return [];
  }
}

/** Few numbers are chosen from; many are reached by steps. */
function numberRows(state: DraftState, field: FieldSpec): Rows {
  const now = effective(field, state.draft.values);
  const numbers = fewNumbers(field) ?? (typeof now === "number" ? steps(field, now) : []);
  return inRows(
    numbers.map((number) => pick(state, field, number)),
    NUMBERS_IN_ROW,
  );
}

function pick(
  { draft }: DraftState,
  field: FieldSpec,
  value: string | number,
  label = String(value),
): Button {
  const isNow = effective(field, draft.values) === value;
  return button(isNow ? `✓ ${label}` : label, "set", field.name, value);
}

/** What a list has no room for beside its choices is on a page of its own, from where one step back is not enough. */
function lastRows(
  { inList }: Format,
  state: DraftState,
  field: FieldSpec,
  { regions = [] }: FieldScreen,
): Rows {
  const isLong = inList && regions.length > 0;
  return [lastRow(state, field), ...(isLong ? [[button(state.say("action.cancel"), "cancel")]] : [])];
}

function lastRow({ say, draft }: DraftState, field: FieldSpec): readonly Button[] {
  const { name, required, control } = field;
  const count = mediaIn(draft.values[name]).length;
  const isList = control === "images" || control === "sounds";
  const back = button(say("action.back"), "back");
  if (isList && count > 0) return [button(say("draft.remove_last"), "keep", name, count - 1), back];
  if (!required && !isList && draft.values[name] !== undefined)
    return [button(say("draft.clear"), "clear", name), back];
  return [back];
}
