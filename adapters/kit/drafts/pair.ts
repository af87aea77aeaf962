import { codeOf } from "../../../src/seam/browse/catalogues.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { isMediaRef, type MediaRef } from "../../../src/seam/values.ts";
import { type Draft, withoutProblem } from "./draft.ts";

/** A picture in a field of its own. */
interface PictureIn {
  readonly field: FieldSpec;
  readonly picture: MediaRef;
}

/**
 * The two pictures of a draft that each have a field of their own, such as the face and who gets it, or the first frame and the
 * last: nobody sees from "a picture is there" which of them is which.
 * @returns nothing while there are not two
 */
export function pairOf(
  { values }: Pick<Draft, "values">,
  fields: readonly FieldSpec[],
): readonly PictureIn[] {
  const pictures = fields.flatMap((field) => {
    const picture = field.control === "image" ? values[field.name] : undefined;
    return isMediaRef(picture) ? [{ field, picture }] : [];
  });
  return pictures.length === 2 ? pictures : [];
}

/** Which of the two pictures that somebody sent is in a field, as a message; undefined where there are not two. */
export function whichOf(draft: Draft, fields: readonly FieldSpec[], field: FieldSpec) {
  const place = pairOf(draft, fields).findIndex((one) => one.field === field);
  if (place < 0) return undefined;
  return (place === 0) === !draft.swapped ? "value.picture_first" : "value.picture_second";
}

/** What stands for swapping two pictures: it names the one that comes first then, so that pressed twice it does no more. */
export function swapCode(draft: Draft, fields: readonly FieldSpec[]): string | undefined {
  const [, second] = pairOf(draft, fields);
  return second && codeOf(second.picture.id);
}

/** Has two pictures change places: the one with this code comes first. @returns undefined where it is not there */
export function swap(draft: Draft, fields: readonly FieldSpec[], code: string): Draft | undefined {
  const [first, second] = pairOf(draft, fields);
  if (!first || !second) return undefined;
  if (codeOf(first.picture.id) === code) return withoutProblem(draft);
  if (codeOf(second.picture.id) !== code) return undefined;
  const values = {
    ...draft.values,
    [first.field.name]: second.picture,
    [second.field.name]: first.picture,
  };
  return { ...withoutProblem(draft), swapped: !draft.swapped, values };
}
