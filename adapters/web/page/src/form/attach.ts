/** Where pictures go that are given to a form as a whole, by drop or paste: pure. */
import type { FieldSpec } from "../../../../../src/seam/fields.ts";
import { mediaIn, type MediaRef, type Values } from "../../../../../src/seam/values.ts";
import { isPicture, missingFields, roomOf } from "../../../../../src/seam/forms/filling.ts";
import { givenIn, isShown, isWords, withValue } from "./fields.ts";

function placesFor(fields: readonly FieldSpec[], values: Values): FieldSpec[] {
  return fields.filter((field) => isPicture(field) && isShown(field, fields, values));
}

function roomIn(field: FieldSpec, values: Values): number {
  return roomOf(field) - mediaIn(values[field.name]).length;
}

/** How many more pictures can be taken; where all places are full, one can still be exchanged. */
export function roomFor(fields: readonly FieldSpec[], values: Values): number {
  const places = placesFor(fields, values);
  const free = places.reduce((sum, field) => sum + roomIn(field, values), 0);
  return free === 0 && places.some(({ control }) => control === "image") ? 1 : free;
}

/** The values with one more picture, in the first place that has room; else it takes that of the first well. */
export function withPicture(fields: readonly FieldSpec[], values: Values, media: MediaRef): Values {
  const places = placesFor(fields, values);
  const place =
    places.find((field) => roomIn(field, values) > 0) ?? places.find(({ control }) => control === "image");
  if (!place) return values;
  const { name, control } = place;
  return withValue(fields, values, name, control === "image" ? media : [...mediaIn(values[name]), media]);
}

/** The values with the built-in picture, and with words for it where they are needed and there are none yet. */
export function withSample(
  fields: readonly FieldSpec[],
  values: Values,
  media: MediaRef,
  words: string,
): Values {
  const pictured = withPicture(fields, values, media);
  const field = missingFields(fields, givenIn(pictured)).find(isWords);
  return field ? withValue(fields, pictured, field.name, words) : pictured;
}
