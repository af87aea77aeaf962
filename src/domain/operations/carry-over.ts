import type { FieldSpec } from "../../seam/fields.ts";
import { mediaIn, type MediaRef, type Value, type Values } from "../../seam/values.ts";
import { fieldsOf } from "./fields.ts";
import type { Operation } from "./operation.ts";

/** Whether a field is one of the pictures that an operation is about. */
const isPicture = ({ control, advanced }: FieldSpec) =>
  (control === "image" || control === "images") && !advanced;

/**
 * What was filled in for one operation, as far as another can use it: pictures go to its picture fields in their
 * order, everything else to the field of the same name, if it may be that there.
 */
export function carryOver(values: Values, from: Operation, to: Operation): Values {
  const fields = fieldsOf(to.schema);
  const pictures = fieldsOf(from.schema)
    .filter(isPicture)
    .flatMap(({ name }) => mediaIn(values[name]));
  const carried: Record<string, Value> = {};
  for (const field of fields) {
    const value = isPicture(field) ? take(field, pictures) : sameName(field, values, from, to);
    if (value !== undefined) carried[field.name] = value;
  }
  return carried;
}

/** Takes as many pictures as a field holds. */
function take({ control, maxItems }: FieldSpec, pictures: MediaRef[]): Value | undefined {
  if (control === "image") return pictures.shift();
  const list = pictures.splice(0, maxItems);
  return list.length > 0 ? list : undefined;
}

function sameName({ name, control, catalogue }: FieldSpec, values: Values, from: Operation, to: Operation) {
  const source = fieldsOf(from.schema).find((field) => field.name === name);
  if (source?.control !== control || source.catalogue !== catalogue || control === "mask") return undefined;
  const value = values[name];
  return to.schema.shape[name]?.safeParse(value).success ? value : undefined;
}
