/** What a form's fields mean together: pure, so that tests need no browser. */
import type { FieldSpec } from "../../../../../src/seam/fields.ts";
import { applicable, missingFields } from "../../../../../src/seam/forms/filling.ts";
import { isMediaList, mediaIn, type Value, type Values } from "../../../../../src/seam/values.ts";
import { wantedFor } from "../../../../../src/seam/forms/wanted.ts";
import { seenWords } from "../../../../../src/seam/text/cut.ts";
import type { PageProblem } from "../../../wire.ts";

/** Whether a value counts as given. */
export function isGiven(value: Value | undefined): value is Value {
  return (
    value !== undefined && !(typeof value === "string" && seenWords(value) === "") && !isEmptyList(value)
  );
}

function isEmptyList(value: Value): boolean {
  return isMediaList(value) && value.length === 0;
}

/** The values that count as given. */
export const givenIn = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => isGiven(value)));

/** A value that is words. */
export function textOf(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The words themselves, as against a side remark such as what to avoid. */
export function isWords({ control, advanced }: FieldSpec): boolean {
  return control === "text" && !advanced;
}

/** Whether a field makes sense with the other values. */
export function isShown(field: FieldSpec, fields: readonly FieldSpec[], values: Values): boolean {
  return applicable(fields, givenIn(values)).includes(field);
}

/** The first field that is still missing, with the one that could stand in for it. */
export function firstMissing(
  fields: readonly FieldSpec[],
  values: Values,
): { field: FieldSpec; instead?: FieldSpec | undefined } | undefined {
  const field = missingFields(fields, givenIn(values))[0];
  return field && { field, instead: fields.find(({ name }) => name === field.unless) };
}

/** What is wrong with one value by the field's own bounds. */
export function faultOf(field: FieldSpec, value: Value | undefined): PageProblem | undefined {
  const { name, maxLength = Infinity, maxItems = Infinity } = field;
  if (typeof value === "string" && value.length > maxLength) {
    return { code: "field_too_long", params: { field: name, max: maxLength }, field: name };
  }
  if (isMediaList(value) && value.length > maxItems) return countFault(field);
  return typeof value === "number" && field.control === "number" ? numberFault(field, value) : undefined;
}

/** What is said of too few or too many files. */
export function countFault({ name, minItems = 1, maxItems = minItems }: FieldSpec): PageProblem {
  return { code: "field_count", params: { field: name, min: minItems, max: maxItems }, field: name };
}

function numberFault(field: FieldSpec, value: number): PageProblem | undefined {
  const { name, min, max } = field;
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    return min !== undefined && max !== undefined
      ? { code: "field_out_of_range", params: { field: name, min, max }, field: name }
      : { code: "field_invalid", params: { field: name, ...wantedFor(field) }, field: name };
  }
  const step = field.multipleOf ?? (field.integer ? 1 : undefined);
  if (step === undefined || value % step === 0) return undefined;
  const wanted = String(Math.round(value / step) * step);
  return { code: "field_invalid", params: { field: name, wanted }, field: name };
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

/** The values with one changed, or taken out; what was chosen within it or marked in it goes too. */
export function withValue(
  fields: readonly FieldSpec[],
  values: Values,
  name: string,
  value: Value | undefined,
): Values {
  const bound = new Set(
    fields.filter(({ within, over }) => within === name || over === name).map((field) => field.name),
  );
  const { [name]: old, ...rest } = values;
  const kept = isSame(value, old)
    ? rest
    : Object.fromEntries(Object.entries(rest).filter(([other]) => !bound.has(other)));
  return value === undefined ? kept : { ...kept, [name]: value };
}

/** Whether two requests are for the same. */
export function areSame(values: Values, others: Values): boolean {
  return Object.keys({ ...values, ...others }).every((name) => isSame(values[name], others[name]));
}

/** A file that is uploaded once more is the same file. */
function isSame(value: Value | undefined, old: Value | undefined): boolean {
  const [files, others] = [mediaIn(value), mediaIn(old)];
  const areFiles = files.length > 0 && files.length === others.length;
  return value === old || (areFiles && files.every(({ id }, nth) => id === others[nth]?.id));
}

/** What the composer shows at once; every other control waits behind one click. */
const IN_FRONT = new Set<FieldSpec["control"]>(["image", "images", "mask", "sounds", "text", "catalogue"]);
const PICTURES = new Set<FieldSpec["control"]>(["image", "images", "mask"]);

/** Where the composer puts each field. */
export interface FieldPlaces {
  /** Pictures, lists of them, and what marks a part of one. */
  readonly pictures: readonly FieldSpec[];
  readonly sounds: readonly FieldSpec[];
  readonly texts: readonly FieldSpec[];
  readonly catalogues: readonly FieldSpec[];
  /** Catalogues within what was chosen from another one. */
  readonly variants: readonly FieldSpec[];
  readonly options: readonly FieldSpec[];
}

/** Sorts the fields that make sense into their places. */
export function placesOf(fields: readonly FieldSpec[], values: Values): FieldPlaces {
  const shown = fields.filter((field) => isShown(field, fields, values));
  const front = shown.filter(({ advanced, control }) => !advanced && IN_FRONT.has(control));
  const catalogues = front.filter(({ control }) => control === "catalogue");
  return {
    pictures: front.filter(({ control }) => PICTURES.has(control)),
    sounds: front.filter(({ control }) => control === "sounds"),
    texts: front.filter(({ control }) => control === "text"),
    catalogues: catalogues.filter(({ within }) => within === undefined),
    variants: catalogues.filter(({ within }) => within !== undefined),
    options: shown.filter((field) => !front.includes(field)),
  };
}
