import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { Json } from "../../../src/common/json.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { exampleOf } from "./field-example.ts";

/** JSON Schema, as plain data. */
export type JsonSchema = { [key: string]: Json };

const FILE = "An https address, a data URI, or base64.";

/** What an operation takes, as JSON Schema (2020-12), with names and hints in a language. */
export function inputSchemaOf(fields: readonly FieldSpec[], translate: Translate): JsonSchema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const alternatives = fields.flatMap(({ name, unless }) =>
    unless === undefined ? [] : [{ anyOf: [needing(name), needing(unless)] }],
  );
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, translate)])),
    required,
    additionalProperties: false,
    ...(alternatives.length > 0 && { allOf: alternatives }),
  };
}

/** Clients that are made of it want to see the field, too. */
const needing = (name: string): JsonSchema => ({ properties: { [name]: {} }, required: [name] });

function fieldSchema(field: FieldSpec, translate: Translate): JsonSchema {
  const { label, default: standard, catalogue, within } = field;
  const kind = fileKindOf(field);
  return {
    title: translate(label),
    ...typeOf(field),
    description: describe(field, translate),
    ...(standard !== undefined && { default: standard }),
    ...(kind !== undefined && { "x-file": kind }),
    ...(catalogue !== undefined && { "x-catalogue": catalogue }),
    ...(within !== undefined && { "x-within": within }),
    examples: [exampleOf(field)],
  };
}

/** Which files a field takes, so that a program knows without reading its description. */
function fileKindOf({ control }: FieldSpec): "picture" | "sound" | undefined {
  if (control === "sounds") return "sound";
  return control === "image" || control === "images" || control === "mask" ? "picture" : undefined;
}

function typeOf({ control, choices, ...field }: FieldSpec): JsonSchema {
  switch (control) {
    case "image":
    case "mask":
      return { type: "string" };
    case "images":
    case "sounds":
      return { type: "array", items: { type: "string" }, ...countOf(field) };
    case "number":
      return {
        type: field.integer ? "integer" : "number",
        ...(field.min !== undefined && { minimum: field.min }),
        ...(field.max !== undefined && { maximum: field.max }),
        ...(field.multipleOf !== undefined && { multipleOf: field.multipleOf }),
      };
    case "choice":
      return { enum: (choices ?? []).map(({ value }) => value) };
    case "switch":
      return { type: "boolean" };
    case "catalogue":
    case "text":
    case "secret":
      return {
        type: "string",
        minLength: 1,
        ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
      };
    default:
      return control satisfies never;
  }
}

function countOf({ minItems, maxItems }: Pick<FieldSpec, "minItems" | "maxItems">): JsonSchema {
  return { ...(minItems !== undefined && { minItems }), ...(maxItems !== undefined && { maxItems }) };
}

/** What JSON Schema has no word for. */
function describe(field: FieldSpec, translate: Translate): string {
  const { hint, when, over, sounds, fitBytes } = field;
  return [
    ...(hint === undefined ? [] : [`${translate(hint)}.`]),
    ...(fileKindOf(field) === undefined ? [] : [FILE]),
    ...(over === undefined ? [] : [`White marks a part of \`${over}\`.`]),
    ...(when === undefined ? [] : [`Only when \`${when.field}\` is \`${when.is}\`.`]),
    ...(fitBytes === undefined ? [] : [`Made to fit into ${fitBytes} bytes.`]),
    ...(sounds === undefined
      ? []
      : [
          `${sounds.types.join(", ")}; at most ${sounds.maxBytes} bytes and ${sounds.maxSeconds} s each, ${sounds.maxSecondsTogether} s together.`,
        ]),
  ].join(" ");
}
