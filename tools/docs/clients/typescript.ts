import type { OpenApi, OpenApiSchema } from "../../../adapters/http/openapi/model.ts";
import { schemaOf } from "../../../adapters/http/openapi/sample.ts";
import { HEADS, itemOf, nameIn, namedSchemas, type Part } from "./named.ts";

/** What still stands on one line. */
const WIDTH = 80;

/** The schemas of the gateway's document as TypeScript, for its client. A file of a form is a Blob as well. */
export function typescriptTypes(document: Pick<OpenApi, "components">, part: Part): string {
  const types = namedSchemas(document, part).map(
    ({ name, schema, files }) => `export type ${name} = ${typeOf(schema, files)};`,
  );
  return `${[`// ${HEADS[part]}\n`, ...types].join("\n")}\n`;
}

function typeOf(schema: OpenApiSchema, files: ReadonlySet<string> = new Set()): string {
  const { $ref, enum: choices, anyOf, oneOf, allOf = [] } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return `(${alternatives.map((one) => typeOf(schemaOf(one))).join(" | ")})`;
  const own = ownType(schema, files);
  return [own, ...allOf.map((one) => typeOf(schemaOf(one)))].join(" & ");
}

function ownType(schema: OpenApiSchema, files: ReadonlySet<string>): string {
  const { type } = schema;
  if (Array.isArray(type)) return type.map((one) => ownType({ ...schema, type: one }, files)).join(" | ");
  switch (type ?? (schema.properties ? "object" : undefined)) {
    case "array":
      return `readonly (${typeOf(itemOf(schema))})[]`;
    case "object":
      return objectType(schema, files);
    case "integer":
    case "number":
      return "number";
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    default:
      return "unknown";
  }
}

function objectType(
  { properties, required = [], additionalProperties = {} }: OpenApiSchema,
  files: ReadonlySet<string>,
): string {
  if (!properties) return `Readonly<Record<string, ${typeOf(schemaOf(additionalProperties))}>>`;
  const lines = Object.entries(properties).map(([name, property]) => {
    const type = typeOf(schemaOf(property));
    const file = files.has(name) ? type.replace("string", "string | Blob") : type;
    return `readonly ${name}${required.includes(name) ? "" : "?"}: ${file};`;
  });
  const line = `{ ${lines.join(" ")} }`;
  return line.length < WIDTH ? line : `{\n  ${lines.join("\n").replaceAll("\n", "\n  ")}\n}`;
}
