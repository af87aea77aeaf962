import type { Json } from "../../../src/common/json.ts";
import { asJson } from "../resources/notes.ts";
import type { OpenApiSchema } from "./model.ts";
import { resolved } from "./schemas.ts";

/** What stands for a value of a format. */
const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00.000Z",
  date: "2026-01-31",
  uri: "https://example.com/",
};

type Components = Readonly<Record<string, OpenApiSchema>>;

/**
 * A value that fits a schema: its own example, else one made of those of its parts. What may be null is null.
 * @param components what it may point to
 * @param otherwise what of an object is to be otherwise
 */
export function sampleOf(schema: OpenApiSchema, components: Components, otherwise: object = {}): Json {
  const sample = madeOf(schema, components);
  return Object.keys(otherwise).length > 0 ? asJson({ ...Object(sample), ...otherwise }) : sample;
}

function madeOf(schema: OpenApiSchema, components: Components): Json {
  const own = resolved(schema, components);
  if (own !== schema) return madeOf(own, components);
  const given = schema.examples?.[0] ?? schema.const ?? schema.default;
  if (given !== undefined) return given as Json;
  const [choice] = schema.enum ?? [];
  if (choice !== undefined) return choice;
  const alternatives = schema.anyOf ?? schema.oneOf ?? [];
  if (alternatives.some(({ type }) => type === "null")) return null;
  const [first] = alternatives;
  if (first && !schema.properties) return madeOf(first, components);
  switch (Array.isArray(schema.type) ? "null" : schema.type) {
    case "null":
      return null;
    case "boolean":
      return true;
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "string":
      return FORMATS[schema.format ?? ""] ?? "…";
    case "array":
      return itemsOf(schema).map((item) => madeOf(item, components));
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, part]) => [
          name,
          madeOf(schemaOf(part), components),
        ]),
      );
  }
}

/** What a list holds, as often as it must. */
function itemsOf({ items, minItems = 1 }: OpenApiSchema): OpenApiSchema[] {
  const item = Array.isArray(items) ? items[0] : items;
  return item === undefined ? [] : Array.from({ length: minItems }, () => schemaOf(item));
}

/** A schema that is written as true or false takes everything or nothing. */
export function schemaOf(schema: OpenApiSchema | boolean): OpenApiSchema {
  return typeof schema === "boolean" ? {} : schema;
}
