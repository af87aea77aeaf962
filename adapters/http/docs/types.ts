import { html } from "hono/html";
import type { OpenApiSchema } from "../openapi/model.ts";
import { schemaOf } from "../openapi/sample.ts";
import { componentName } from "../openapi/schemas.ts";
import type { Markup } from "./text.ts";

/** What a format is called. */
const FORMATS: Readonly<Record<string, string>> = { "date-time": "time", date: "day", uri: "address" };

/** What something is, in a few words; components are linked. */
export function typeOf(schema: OpenApiSchema): Markup {
  const name = componentName(schema);
  if (name !== undefined) return html`<a href="#object-${name}">${name}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return html`${among(schema.enum.map((value) => html`<code>${value}</code>`))}`;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives && !schema.type) return html`${among(alternatives.map(typeOf))}`;
  if (Array.isArray(schema.type)) return html`${among(schema.type.map((type) => typeOf({ type })))}`;
  if (schema.type === "array") return html`list of ${typeOf(itemOf(schema))}`;
  return html`${FORMATS[schema.format ?? ""] ?? TYPES[schema.type ?? ""] ?? "anything"}`;
}

/** What each item of a list is. */
export function itemOf({ items }: OpenApiSchema): OpenApiSchema {
  return schemaOf((Array.isArray(items) ? items[0] : items) ?? true);
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
  null: "null",
};

/** `a, b or c`. */
function among(parts: readonly Markup[]): Markup[] {
  return parts.map((part, index) => {
    const before = index === 0 ? "" : index === parts.length - 1 ? " or " : ", ";
    return html`${before}${part}`;
  });
}

/** What bounds it, one phrase each. */
export function boundsOf(schema: OpenApiSchema): string[] {
  const { multipleOf, pattern } = schema;
  return [
    rangeOf(schema.minimum, schema.maximum, ""),
    rangeOf(schema.minLength, schema.maxLength, " characters"),
    rangeOf(schema.minItems, schema.maxItems, " of them"),
    multipleOf === undefined ? "" : `a multiple of ${multipleOf}`,
    pattern === undefined ? "" : `matches \`${pattern}\``,
  ].filter(Boolean);
}

function rangeOf(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined) return min === undefined || (unit && min <= 1) ? "" : `at least ${min}${unit}`;
  const least = unit ? min && min > 1 : min !== undefined;
  return least ? `${min} to ${max}${unit}` : `at most ${max}${unit}`;
}
