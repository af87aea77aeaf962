import type { RouteFace } from "../route/route.ts";
import type { DocumentedInputs } from "./inputs.ts";
import type { OpenApiRequestBody, OpenApiSchema } from "./model.ts";
import { sampleOf } from "./sample.ts";
import type { Schemas } from "./schemas.ts";

/** What a route's request carries. */
export function bodyOf(
  route: RouteFace,
  schemas: Schemas,
  inputs: DocumentedInputs,
): { readonly requestBody?: OpenApiRequestBody } {
  if (route.streamed) return { requestBody: streamed(schemas.of(route.streamed, "input"), inputs) };
  if (!route.body) return {};
  const schema = schemas.of(route.body, "input");
  const example = sampleOf(schema, schemas.components);
  return { requestBody: { required: true, content: { "application/json": { schema, example } } } };
}

function streamed(schema: OpenApiSchema, inputs: DocumentedInputs): OpenApiRequestBody {
  return {
    required: true,
    content: {
      "application/json": { schema, examples: inputs.examples },
      "multipart/form-data": { schema: inputs.refine(schema) },
    },
  };
}
