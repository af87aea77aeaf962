/** What a form's fields mean together: pure, so that tests need no browser. */
import type { FieldSpec } from "../../../../src/chat/fields.ts";
import type { Value, Values } from "../../../../src/chat/values.ts";
import type { ProblemBody } from "../../wire.ts";

/** Whether a value counts as given. */
export function isGiven(value: Value | undefined): value is Value {
  return value !== undefined && !(typeof value === "string" && value.trim() === "");
}

/** A value that is words. */
export function textOf(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Whether a field makes sense with the other values. */
export function isShown(field: FieldSpec, fields: readonly FieldSpec[], values: Values): boolean {
  if (field.within !== undefined && !isGiven(values[field.within])) return false;
  if (!field.when) return true;
  const other = fields.find(({ name }) => name === field.when?.field);
  return (values[field.when.field] ?? other?.default) === field.when.is;
}

/** The first field that is still missing, with the one that could stand in for it. */
export function firstMissing(
  fields: readonly FieldSpec[],
  values: Values,
): { field: FieldSpec; instead?: FieldSpec | undefined } | undefined {
  for (const field of fields) {
    if (isGiven(values[field.name]) || field.default !== undefined) continue;
    if (!isShown(field, fields, values)) continue;
    const needed = field.required || field.unless !== undefined;
    const stoodIn = field.unless !== undefined && isGiven(values[field.unless]);
    if (needed && !stoodIn) return { field, instead: fields.find(({ name }) => name === field.unless) };
  }
  return undefined;
}

/** What is wrong with one value by the field's own bounds. */
export function faultOf(field: FieldSpec, value: Value | undefined): ProblemBody | undefined {
  const name = field.name;
  if (typeof value === "string" && field.maxLength !== undefined && value.length > field.maxLength) {
    return { code: "field_too_long", params: { field: name, max: field.maxLength }, field: name };
  }
  if (typeof value !== "number" || field.control !== "number") return undefined;
  const { min, max } = field;
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    return min !== undefined && max !== undefined
      ? { code: "field_out_of_range", params: { field: name, min, max }, field: name }
      : {
          code: "field_invalid",
          params: { field: name, wanted: min === undefined ? `≤ ${max}` : `≥ ${min}` },
          field: name,
        };
  }
  if (field.integer && !Number.isInteger(value)) {
    return { code: "field_invalid", params: { field: name, wanted: String(Math.round(value)) }, field: name };
  }
  return undefined;
}

/** The values that are worth sending: given, and of fields that make sense together. */
export function sendable(fields: readonly FieldSpec[], values: Values): Values {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[field.name];
      if (!isGiven(value) || !isShown(field, fields, values)) return [];
      return [[field.name, typeof value === "string" ? value.trim() : value]];
    }),
  );
}

/** The values with one changed, or taken out; what was chosen within it goes too. */
export function withValue(
  fields: readonly FieldSpec[],
  values: Values,
  name: string,
  value: Value | undefined,
): Values {
  const narrowed = new Set(fields.filter(({ within }) => within === name).map((field) => field.name));
  const { [name]: old, ...rest } = values;
  const kept =
    value === old ? rest : Object.fromEntries(Object.entries(rest).filter(([other]) => !narrowed.has(other)));
  return value === undefined ? kept : { ...kept, [name]: value };
}

/** What the composer shows at once; every other control waits behind one click. */
const IN_FRONT = new Set<FieldSpec["control"]>(["image", "text", "catalogue"]);

/** Where the composer puts each field. */
export interface Places {
  readonly pictures: readonly FieldSpec[];
  readonly texts: readonly FieldSpec[];
  readonly catalogues: readonly FieldSpec[];
  /** Catalogues within what was chosen from another one. */
  readonly variants: readonly FieldSpec[];
  readonly options: readonly FieldSpec[];
}

/** Sorts the fields that make sense into their places. */
export function placesOf(fields: readonly FieldSpec[], values: Values): Places {
  const shown = fields.filter((field) => isShown(field, fields, values));
  const front = shown.filter(({ advanced, control }) => !advanced && IN_FRONT.has(control));
  const catalogues = front.filter(({ control }) => control === "catalogue");
  return {
    pictures: front.filter(({ control }) => control === "image"),
    texts: front.filter(({ control }) => control === "text"),
    catalogues: catalogues.filter(({ within }) => within === undefined),
    variants: catalogues.filter(({ within }) => within !== undefined),
    options: shown.filter((field) => !front.includes(field)),
  };
}
