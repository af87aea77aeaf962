import type { FieldSpec } from "../../../src/chat/fields.ts";
import { consistent, firstMissing, withValue } from "../../../src/chat/filling.ts";
import type { Sheet } from "../../../src/chat/sheet.ts";
import type { Value, Values } from "../../../src/chat/values.ts";
import { type Draft, type Screen, withoutProblem } from "./draft.ts";

/** Where a draft stands after a field of it was dealt with; a mask is asked for by itself. */
export function screenAfter(sheet: Sheet, values: Values, field?: FieldSpec): Screen {
  if (field?.advanced) return { show: "more" };
  const missing = firstMissing(sheet.fields, values);
  return missing?.control === "mask" ? { show: "field", field: missing.name } : { show: "main" };
}

/** Changes one value, and leaves out what makes no sense beside it any more. */
export function withField(draft: Draft, sheet: Sheet, field: FieldSpec, value: Value | undefined): Draft {
  const changed = consistent(sheet.fields, draft.values, withValue(draft.values, field.name, value));
  return { ...withoutProblem(draft), values: changed, screen: screenAfter(sheet, changed, field) };
}

/** Shows something else of a draft. */
export function withScreen(draft: Draft, screen: Screen): Draft {
  return { ...withoutProblem(draft), screen };
}
