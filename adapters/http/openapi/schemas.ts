import { z } from "zod";
import type { OpenApiSchema, Reference } from "./model.ts";

const PLACE = "#/components/schemas/";

/** How schemas are written: most stand in a document many times, what a refusal says hundreds. */
const WRITTEN = {
  query: new WeakMap<z.ZodType, string>(),
  input: new WeakMap<z.ZodType, string>(),
  output: new WeakMap<z.ZodType, string>(),
};

/** The schemas of a document: those with an id stand once, under `components`. */
export class Schemas {
  readonly components: Record<string, OpenApiSchema> = {};

  /**
   * A schema as it is written where it is used.
   * @param part whether it is what is asked for at the end of an address, what is sent to Reelay, or what comes back
   */
  of(schema: z.ZodType, part: keyof typeof CLEAN): OpenApiSchema {
    const text = WRITTEN[part].get(schema) ?? write(schema, part);
    WRITTEN[part].set(schema, text);
    const { $schema: _, $defs = {}, ...rest } = JSON.parse(text) as OpenApiSchema;
    Object.assign(this.components, $defs);
    return rest;
  }

  /** Adds a schema that zod does not know of. */
  add(id: string, schema: OpenApiSchema): OpenApiSchema & Reference {
    this.components[id] = schema;
    return { $ref: PLACE + id };
  }
}

function write(schema: z.ZodType, part: keyof typeof CLEAN): string {
  const clean = CLEAN[part];
  const io = part === "output" ? "output" : "input";
  const override = ({ jsonSchema }: { jsonSchema: OpenApiSchema }) => clean(jsonSchema);
  const written = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any", override }));
  return written.replaceAll("#/$defs/", PLACE);
}

/** What a schema points to; itself where it does not. */
export function resolved(
  schema: OpenApiSchema,
  components: Readonly<Record<string, OpenApiSchema>>,
): OpenApiSchema {
  return (schema.$ref?.startsWith(PLACE) && components[schema.$ref.slice(PLACE.length)]) || schema;
}

/** The name of the component that a schema points to. */
export function componentName({ $ref = "" }: Pick<OpenApiSchema, "$ref">): string {
  return $ref.slice(PLACE.length);
}

/** Leaves out what says nothing to a reader. */
function tidy(schema: OpenApiSchema): void {
  if ("example" in schema) {
    schema.examples = [schema["example"]];
    delete schema["example"];
  }
  // The format says it.
  if (schema.format !== undefined) delete schema.pattern;
  // Every key of JSON is text.
  delete schema.propertyNames;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** The same, and lets answers grow: there may be more fields some day. */
function tidyAnswer(schema: OpenApiSchema): void {
  tidy(schema);
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

/** The same, with its defaults in words. */
function tidyBody(schema: OpenApiSchema): void {
  tidy(schema);
  Object.assign(schema, withoutDefault(schema));
  delete schema.default;
}

/**
 * A schema that says in words what is taken where it is left out: generators of clients take what has a default for
 * something that is always there, and then ask for it.
 */
export function withoutDefault({ default: standard, ...schema }: OpenApiSchema): OpenApiSchema {
  const written = typeof standard === "string" ? standard : JSON.stringify(standard);
  if (written === undefined || ["", "[]", "{}"].includes(written)) return schema;
  return { ...schema, description: `${schema.description ?? ""} Left out: \`${written}\`.`.trim() };
}

const CLEAN = { query: tidy, input: tidyBody, output: tidyAnswer };
