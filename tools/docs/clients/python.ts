import type { OpenApi, OpenApiSchema } from "../../../adapters/http/openapi/model.ts";
import { schemaOf } from "../../../adapters/http/openapi/sample.ts";
import { HEADS, itemOf, nameIn, namedSchemas, type Part } from "./named.ts";

/** What each part stands on. */
const IMPORTS = {
  requests: [
    "from collections.abc import Mapping, Sequence",
    "from pathlib import Path",
    "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict",
    "",
    "#: An https address, a data URI or base64; a file of the disk, which is read as it is sent; or its content.",
    "File: TypeAlias = str | Path | bytes",
  ],
  answers: [
    "from collections.abc import Mapping, Sequence",
    "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict",
  ],
} as const satisfies Record<Part, readonly string[]>;

/** Objects within others, which need names of their own in Python; they stand before what they are part of. */
type Inner = string[];

/** The schemas of the gateway's document as Python, for its client. */
export function pythonTypes(document: Pick<OpenApi, "components">, part: Part): string {
  const types = namedSchemas(document, part).flatMap(({ name, schema, files }) => {
    const inner: Inner = [];
    const own = schema.properties
      ? classOf(name, schema, inner, files)
      : `${name}: TypeAlias = ${JSON.stringify(typeOf(schema, name, inner))}`;
    return inner.concat(own);
  });
  const head = [
    `"""${HEADS[part]}"""`,
    "",
    "from __future__ import annotations",
    "",
    ...IMPORTS[part],
    "",
    "",
  ];
  return `${head.join("\n")}\n${types.join("\n\n\n")}\n`;
}

function classOf(
  name: string,
  schema: OpenApiSchema,
  inner: Inner,
  files: ReadonlySet<string> = new Set(),
): string {
  const { properties = {}, required = [] } = schema;
  const lines = Object.entries(properties).map(([field, property]) => {
    const type = typeOf(schemaOf(property), name + pascal(field), inner);
    const own = files.has(field) ? type.replace("str", "File") : type;
    return `    ${field}: ${required.includes(field) ? own : `NotRequired[${own}]`}`;
  });
  return [`class ${name}(TypedDict):`, ...lines].join("\n");
}

/** @param name what it would be called if it were an object */
function typeOf(schema: OpenApiSchema, name: string, inner: Inner): string {
  const { $ref, enum: choices, anyOf, oneOf, type } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (schema.const !== undefined) return `Literal[${JSON.stringify(schema.const)}]`;
  if (choices) return `Literal[${choices.map((choice) => JSON.stringify(choice)).join(", ")}]`;
  const alternatives =
    anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined);
  if (alternatives)
    return alternatives.map((one) => typeOf(schemaOf(one), `${name}Object`, inner)).join(" | ");
  switch (type) {
    case "array":
      return `Sequence[${typeOf(itemOf(schema), name, inner)}]`;
    case "object":
      if (!schema.properties)
        return `Mapping[str, ${typeOf(schemaOf(schema.additionalProperties ?? {}), name, inner)}]`;
      inner.push(classOf(name, schema, inner));
      return name;
    case "integer":
      return "int";
    case "number":
      return "float";
    case "string":
      return "str";
    case "boolean":
      return "bool";
    case "null":
      return "None";
    default:
      return "Any";
  }
}

function pascal(field: string): string {
  return field.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
