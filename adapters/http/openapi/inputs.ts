import type { CommandSpec } from "../../../src/seam/fields.ts";
import { operationBody } from "../resources/operation.ts";
import { asJsonText, FORM, isPart, partOf } from "./forms.ts";
import type { Example, OpenApiSchema, Reference } from "./model.ts";
import { schemaOf } from "./sample.ts";
import { componentName, resolved, type Schemas, withoutDefault } from "./schemas.ts";

/** What each operation takes: components of its own. */
export interface DocumentedInputs {
  /** A request for each operation, by its name. */
  readonly examples: Readonly<Record<string, Example>>;
  /**
   * Makes of a named schema one for each operation, with what that takes as its `input`.
   * @returns the same as a form
   */
  refine(schema: OpenApiSchema): OpenApiSchema;
}

/** One operation in the document. */
interface Kind {
  readonly id: string;
  /** What the names of its components begin with. */
  readonly name: string;
  readonly example: Example;
  /** What is asked for, without what may stand beside it in every request. */
  readonly request: OpenApiSchema;
  /** The same as a form. */
  readonly form: OpenApiSchema;
}

/** Adds what operations take to the components. */
export function inputsOf(operations: readonly CommandSpec[], schemas: Schemas): DocumentedInputs {
  const kinds = operations.map((spec) => kindOf(spec, schemas));
  return {
    examples: Object.fromEntries(kinds.map(({ id, example }) => [id, example])),
    refine(schema) {
      const component = componentName(schema);
      const name = component.replace(/^New/, "");
      const { properties = {}, required = [] } = resolved(schema, schemas.components);
      const { operation: _, input: __, ...beside } = properties;
      const needed = required.filter((one) => one in beside);
      const add = (id: string, own: OpenApiSchema, options: Properties) =>
        schemas.add(id, {
          ...own,
          properties: { ...own.properties, ...options },
          required: [...(own.required ?? []), ...needed],
        });
      const options = mapped(beside, (one, field) => schemas.add(name + pascal(field), schemaOf(one)));
      const parts = mapped(beside, (one, field) =>
        isPart(schemaOf(one))
          ? { ...options[field] }
          : schemas.add(`${name}${pascal(field)}Part`, asJsonText(schemaOf(one))),
      );
      schemas.add(
        component,
        oneOf(kinds, (kind) => add(kind.name + name, kind.request, options)),
      );
      const form = oneOf(kinds, (kind) => add(`${kind.name}${name}Form`, kind.form, parts));
      return { description: FORM, ...form };
    },
  };
}

function kindOf(spec: CommandSpec, schemas: Schemas): Kind {
  const { id, title, description, input_schema, example } = operationBody(spec, "en");
  const controls = new Map(spec.fields.map((field) => [field.name, field.control]));
  const { properties = {}, required = [], ...rest } = input_schema as OpenApiSchema;
  const fields = mapped(properties, (one) => withoutDefault(schemaOf(one)));
  const parts = mapped(fields, (one, name) => partOf(one, controls.get(name)));
  const operation: OpenApiSchema = { type: "string", const: id };
  const name = pascal(id);
  const input = schemas.add(`${name}Input`, { title, description, ...rest, properties: fields, required });
  return {
    id,
    name,
    example: { summary: title, value: { operation: id, input: example } as Example["value"] },
    request: {
      title,
      type: "object",
      properties: { operation, input },
      required: ["operation", "input"],
      additionalProperties: false,
    },
    form: {
      title,
      description,
      ...rest,
      properties: { operation, ...parts },
      required: ["operation", ...required],
    },
  };
}

/** One of several that are told apart by their operation. */
function oneOf(kinds: readonly Kind[], schemaFor: (kind: Kind) => Reference): OpenApiSchema {
  const choices = kinds.map((kind) => [kind.id, schemaFor(kind)] as const);
  return {
    type: "object",
    oneOf: choices.map(([, { $ref }]) => ({ $ref })),
    discriminator: {
      propertyName: "operation",
      mapping: Object.fromEntries(choices.map(([id, { $ref }]) => [id, $ref])),
    },
  };
}

type Properties = Readonly<Record<string, OpenApiSchema>>;

function mapped<T>(
  given: Readonly<Record<string, T>>,
  make: (value: T, name: string) => OpenApiSchema,
): Properties {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, make(value, name)]));
}

/** `video-audio` as `VideoAudio`. */
function pascal(id: string): string {
  return id.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
