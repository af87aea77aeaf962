import { z } from "zod";
import type { OpenApiSchema } from "./model.ts";

const PLACE = "#/components/schemas/";

/** The schemas of a document: those with an id stand once, under `components`. */
export class Schemas {
  readonly components: Record<string, OpenApiSchema> = {};

  /**
   * A schema as it is written where it is used.
   * @param io whether it is what is sent to Reelay, or what comes back
   */
  of(schema: z.ZodType, io: "input" | "output"): OpenApiSchema {
    const clean = io === "input" ? tidy : tidyAnswer;
    const override = ({ jsonSchema }: { jsonSchema: OpenApiSchema }) => clean(jsonSchema);
    const written = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any", override }));
    const text = written.replaceAll("#/$defs/", PLACE);
    const { $schema: _, $defs = {}, ...rest } = JSON.parse(text) as OpenApiSchema;
    Object.assign(this.components, $defs);
    return rest;
  }

  /** Adds a schema that zod does not know of. */
  add(id: string, schema: OpenApiSchema): OpenApiSchema {
    this.components[id] = schema;
    return { $ref: PLACE + id };
  }
}

/** What a schema points to; itself where it does not. */
export function resolved(
  schema: OpenApiSchema,
  components: Readonly<Record<string, OpenApiSchema>>,
): OpenApiSchema {
  return (schema.$ref?.startsWith(PLACE) && components[schema.$ref.slice(PLACE.length)]) || schema;
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
