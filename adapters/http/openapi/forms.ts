import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { OpenApiSchema } from "./model.ts";

/** What a form has otherwise than JSON. */
export const FORM =
  "The fields of `input` stand beside the others, each under its own name: a file as a file part or as an `https` address, a list as several parts of one name. `metadata`, and a `webhook` with `events`, are JSON; `agreed` may be, or names with commas.";

const FILE: OpenApiSchema = { type: "string", format: "binary" };

/** A field of an operation as a part of a form: a file may be one of one's own. */
export function partOf(schema: OpenApiSchema, control: FieldSpec["control"] | undefined): OpenApiSchema {
  const { examples: _, ...rest } = schema;
  switch (control) {
    case "image":
    case "mask":
      return { ...rest, ...FILE };
    case "images":
    case "sounds":
      return { ...rest, items: FILE };
    default:
      return schema;
  }
}

/** Whether something is written in a form as it is: text, or a list of parts. */
export function isPart({ type }: OpenApiSchema): boolean {
  return type === "string" || type === "array";
}

/** Anything else is written as JSON. */
export function asJsonText({ description = "", examples = [] }: OpenApiSchema): OpenApiSchema {
  const texts = examples.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  return { type: "string", description, examples: texts };
}
