import type { FieldSpec } from "../../../src/seam/fields.ts";
import { applicable, missingFields, takesFiles } from "../../../src/seam/forms/filling.ts";
import { mediaIn, type Values } from "../../../src/seam/values.ts";
import { DISCORD } from "../api/limits.ts";

/** Which fields a modal asks for: those that are missing, or a page of all, from 0. */
export type PageName = "missing" | number;

/**
 * All fields that can be filled in, a modal's worth at a time, the most important first: what is missing, what most
 * people choose, files that are there already, the rest.
 */
export function pagesOf(fields: readonly FieldSpec[], values: Values): readonly (readonly FieldSpec[])[] {
  const missing = missingFields(fields, values);
  const rank = (field: FieldSpec) => {
    if (missing.includes(field)) return 0;
    if (field.advanced) return 3;
    return takesFiles(field) && mediaIn(values[field.name]).length > 0 ? 2 : 1;
  };
  const sorted = applicable(fields, values).toSorted((a, b) => rank(a) - rank(b));
  const { inputs } = DISCORD.modal;
  const count = Math.ceil(sorted.length / inputs);
  return Array.from({ length: count }, (_, page) => sorted.slice(page * inputs, (page + 1) * inputs));
}

/** The fields of one modal; none where nothing is missing, or there is no such page. */
export function fieldsOn(page: PageName, fields: readonly FieldSpec[], values: Values): readonly FieldSpec[] {
  if (page === "missing") return missingFields(fields, values).slice(0, DISCORD.modal.inputs);
  return pagesOf(fields, values)[page] ?? [];
}
