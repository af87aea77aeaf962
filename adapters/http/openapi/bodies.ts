import type { RouteFace } from "../route/route.ts";
import type { DocumentedInputs } from "./inputs.ts";
import type { OpenApiRequestBody, OpenApiSchema } from "./model.ts";
import { sampleOf, schemaOf } from "./sample.ts";
import type { Schemas } from "./schemas.ts";

/** What a route's request carries. */
export function bodyOf(
  route: RouteFace,
  schemas: Schemas,
  inputs: DocumentedInputs,
): { readonly requestBody?: OpenApiRequestBody } {
  if (route.streamed) return { requestBody: streamed(schemas.of(route.streamed, "input"), schemas, inputs) };
  if (!route.body) return {};
  const schema = schemas.of(route.body, "input");
  const example = sampleOf(schema, schemas.components);
  return { requestBody: { required: true, content: { "application/json": { schema, example } } } };
}

function streamed(schema: OpenApiSchema, schemas: Schemas, inputs: DocumentedInputs): OpenApiRequestBody {
  const whole = inputs.refine(schema, schemas);
  return {
    required: true,
    content: {
      "application/json": { schema, examples: inputs.examples },
      "multipart/form-data": { schema: formOf(whole) },
    },
  };
}

/** The same as a form: what is in `input` stands beside the rest. */
function formOf({ properties = {}, required = [] }: OpenApiSchema): OpenApiSchema {
  const { input: _, ...beside } = properties;
  return {
    type: "object",
    description:
      "The fields of `input` stand beside the others, each under its own name: a file as a file part or as an `https` address, a list as several parts of one name. `metadata`, and a `webhook` with `events`, are JSON.",
    properties: Object.fromEntries(
      Object.entries(beside).map(([name, property]) => [name, asText(schemaOf(property))]),
    ),
    required: required.filter((name) => name !== "input"),
  };
}

/** What is neither text nor a list of parts is written as JSON. */
function asText(schema: OpenApiSchema): OpenApiSchema {
  if (schema.type === "string" || schema.type === "array") return schema;
  const { description = "", examples = [] } = schema;
  const texts = examples.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  return { type: "string", description, examples: texts };
}
