import { fieldsOf } from "../../src/domain/operations/fields.ts";
import { OPERATIONS } from "../../src/domain/operations/registry.ts";
import type { FieldSpec } from "../../src/seam/fields.ts";
import type { MediaRef, Value, Values } from "../../src/seam/values.ts";

/** Pictures that orders are made of. */
export interface OrderPictures {
  readonly photo: MediaRef;
  /** What is to be inpainted. */
  readonly mask: MediaRef;
  /** The face of a face swap. */
  readonly face: MediaRef;
}

/** The least that each operation takes: what is required, and words where something else may stand in for them. */
export function leastOrders(pictures: OrderPictures): Readonly<Record<string, Values>> {
  return Object.fromEntries(
    OPERATIONS.map(({ id, schema }) => {
      const needed = fieldsOf(schema).filter(({ required, unless }) => required || unless !== undefined);
      return [id, Object.fromEntries(needed.map((field) => [field.name, valueOf(field, pictures)]))];
    }),
  );
}

function valueOf({ name, control }: FieldSpec, { photo, mask, face }: OrderPictures): Value {
  switch (control) {
    case "image":
      return name === "source" ? face : photo;
    case "images":
      return [photo];
    case "mask":
      return mask;
    case "text":
      return "slow zoom";
    default:
      throw new Error(`What is the least of ${name}, which is required and a ${control}?`);
  }
}
