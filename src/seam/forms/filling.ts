import type { FieldSpec } from "../fields.ts";
import { isMediaList, isMediaRef, mediaIn, type MediaRef, type Value, type Values } from "../values.ts";

/** Whether a field is one of the pictures that an operation is about. */
export const isPicture = ({ control, advanced }: FieldSpec) =>
  (control === "image" || control === "images") && !advanced;

/** The pictures that each have a role of their own, such as the face and who gets it. */
export function rolesOf(fields: readonly FieldSpec[]): readonly FieldSpec[] {
  return fields.filter((field) => isPicture(field) && field.control === "image" && field.required);
}

/** Whether files go into a field. */
export const takesFiles = ({ control }: FieldSpec) =>
  control === "image" || control === "images" || control === "mask" || control === "sounds";

/** How many files a field holds. */
export function roomOf({ control, maxItems = 1 }: FieldSpec): number {
  return control === "images" || control === "sounds" ? maxItems : 1;
}

/** What a field comes to: what was chosen, else what it is without. */
export const effective = ({ name, default: usual }: FieldSpec, values: Values) => values[name] ?? usual;

/** Whether a field makes sense beside the other values. */
function applies({ when, within }: FieldSpec, fields: readonly FieldSpec[], values: Values): boolean {
  if (within !== undefined && values[within] === undefined) return false;
  if (!when) return true;
  const other = fields.find(({ name }) => name === when.field);
  return other !== undefined && effective(other, values) === when.is;
}

/** The fields that can be filled in now. */
export function applicable(fields: readonly FieldSpec[], values: Values): readonly FieldSpec[] {
  return fields.filter((field) => applies(field, fields, values));
}

/** The fields that cannot be left empty and are; a list that was begun is still to hold what it needs. */
export function missingFields(fields: readonly FieldSpec[], values: Values): readonly FieldSpec[] {
  return applicable(fields, values).filter((field) => {
    const { name, required, unless, minItems = 1 } = field;
    const isNeeded = required || (unless !== undefined && values[unless] === undefined);
    if (!takesFiles(field)) return isNeeded && values[name] === undefined;
    const { length } = mediaIn(values[name]);
    return (isNeeded || length > 0) && length < minItems;
  });
}

/** The first of them. */
export function firstMissing(fields: readonly FieldSpec[], values: Values): FieldSpec | undefined {
  return missingFields(fields, values)[0];
}

/** The field that a person's own words go to. */
export function wordsField(fields: readonly FieldSpec[]): FieldSpec | undefined {
  return fields.find(({ control, advanced }) => control === "text" && !advanced);
}

/** Where a picture goes that was sent with nothing said: the first picture field with room. */
export function openPicture(fields: readonly FieldSpec[], values: Values): FieldSpec | undefined {
  return fields.find((field) => isPicture(field) && mediaIn(values[field.name]).length < roomOf(field));
}

/** Puts a file into a field: beside the others where it holds several, else in the place of the one before. */
export function withFile(field: FieldSpec, values: Values, file: MediaRef): Values {
  const many = field.control === "images" || field.control === "sounds";
  return withValue(values, field.name, many ? [...mediaIn(values[field.name]), file] : file);
}

/** Puts pictures into the picture fields in their order; those beyond the last one are left out. */
export function withPictures(fields: readonly FieldSpec[], pictures: readonly MediaRef[]): Values {
  return pictures.reduce<Values>((values, picture) => {
    const field = openPicture(fields, values);
    return field ? withFile(field, values, picture) : values;
  }, {});
}

/** Changes one value; undefined, and a list without files, take it away. */
export function withValue(values: Values, name: string, value: Value | undefined): Values {
  const { [name]: _, ...others } = values;
  const isEmpty = value === undefined || (isMediaList(value) && value.length === 0);
  return isEmpty ? others : { ...others, [name]: value };
}

/** Leaves out what makes no sense any more: a variant of another template, a mark on another picture. */
export function consistent(fields: readonly FieldSpec[], before: Values, after: Values): Values {
  const kept = fields.filter((field) => {
    const parent = field.within ?? field.over;
    const sameParent = parent === undefined || same(before[parent], after[parent]);
    const chosenAnew = !same(before[field.name], after[field.name]);
    return (sameParent || chosenAnew) && applies(field, fields, after);
  });
  return Object.fromEntries(
    kept.flatMap(({ name }) => (after[name] === undefined ? [] : [[name, after[name]]])),
  );
}

function same(one: Value | undefined, other: Value | undefined): boolean {
  return isMediaRef(one) && isMediaRef(other) ? one.id === other.id : one === other;
}
