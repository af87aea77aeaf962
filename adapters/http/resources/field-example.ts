import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { Json } from "../../../src/common/json.ts";

const PICTURE = "https://example.com/photo.jpg";

/** A value that a field takes: for whoever gave one that it does not. */
export function exampleOf({ control, choices, default: standard, ...field }: FieldSpec): Json {
  switch (control) {
    case "image":
      return PICTURE;
    case "images":
      return Array.from({ length: field.minItems ?? 1 }, () => PICTURE);
    case "mask":
      return "https://example.com/mask.png";
    case "sounds":
      return ["https://example.com/voice.mp3"];
    case "choice":
      return standard ?? choices?.[0]?.value ?? "";
    case "switch":
      return standard ?? true;
    case "number":
      return standard ?? numberIn(field);
    case "catalogue":
      return "an id of the catalogue";
    case "text":
    case "secret":
      return "slow zoom, golden light";
    default:
      return control satisfies never;
  }
}

/** The smallest number that will do, and no smaller than one where that will do, too. */
function numberIn({ min = 1, multipleOf = 1 }: Pick<FieldSpec, "min" | "multipleOf">): number {
  return Math.ceil(Math.max(min, 1) / multipleOf) * multipleOf;
}
