import type { CommandSpec } from "../../../src/seam/fields.ts";
import { operationBody } from "../resources/operation.ts";
import type { Example, OpenApiSchema } from "./model.ts";
import { resolved, type Schemas } from "./schemas.ts";

/** What each operation takes: a component of its own. */
export interface DocumentedInputs {
  /** A request for each operation, by its name. */
  readonly examples: Readonly<Record<string, Example>>;
  /** Ties the `input` of a named schema to its `operation`. @returns the schema */
  refine(schema: OpenApiSchema, schemas: Schemas): OpenApiSchema;
}

const CHOICE = "OperationInput";

/** Adds what operations take to the components. */
export function inputsOf(operations: readonly CommandSpec[], schemas: Schemas): DocumentedInputs {
  const bodies = operations.map((spec) => operationBody(spec, "en"));
  const choice = schemas.add(CHOICE, {
    description: "What is to be made, and what that takes.",
    type: "object",
    oneOf: bodies.map(({ id, title, description, input_schema }) => ({
      title,
      properties: {
        operation: { const: id },
        input: schemas.add(`${pascal(id)}Input`, { title, description, ...(input_schema as OpenApiSchema) }),
      },
      required: ["operation", "input"],
    })),
  });
  return {
    examples: Object.fromEntries(
      bodies.map(({ id, title, example }) => [
        id,
        { summary: title, value: { operation: id, input: example } as Example["value"] },
      ]),
    ),
    refine(schema, { components }) {
      const whole = resolved(schema, components);
      whole.allOf = [choice];
      return whole;
    },
  };
}

/** `video-audio` as `VideoAudio`. */
function pascal(id: string): string {
  return id.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
