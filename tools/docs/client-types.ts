import type { OpenApi, OpenApiSchema } from "../../adapters/http/openapi/model.ts";
import { schemaOf } from "../../adapters/http/openapi/sample.ts";

/** What the client's sources are called that are made from the document. */
type Part = "requests" | "answers";

const HEADS = {
  requests: "// What is asked for. Made from the OpenAPI document by `npm run docs:client`.\n",
  answers: "// What else is sent and comes back. Made from the OpenAPI document by `npm run docs:client`.\n",
} as const satisfies Record<Part, string>;

/** What still stands on one line. */
const WIDTH = 80;

/** The schemas of the gateway's document as TypeScript, for its client. A file of a form is a Blob as well. */
export function clientTypes({ components: { schemas } }: Pick<OpenApi, "components">, part: Part): string {
  const types = Object.entries(schemas)
    .filter(([name]) => !/(?:Form|Part)$/.test(name) && isRequest(name) === (part === "requests"))
    .map(([name, schema]) => {
      const form = schemas[name.replace(/Input$/, "JobForm")];
      const files = name.endsWith("Input") ? filesOf(form) : new Set<string>();
      return `export type ${name} = ${typeOf(schema, files)};`;
    });
  return `${[HEADS[part], ...types].join("\n")}\n`;
}

/** Whether a schema belongs to what is asked for: a job or a quote of an operation, its input, or what stands beside that. */
function isRequest(name: string): boolean {
  return /^New(?:Job|Quote)$|.(?:Input|Job|Quote)$|^Job(?!Error|List).+/.test(name);
}

/** The fields of a form that may be files. */
function filesOf(form: OpenApiSchema = {}): Set<string> {
  const fields = Object.entries(form.properties ?? {}).filter(([, field]) => {
    const { format, items } = schemaOf(field);
    return [format, Array.isArray(items) ? undefined : schemaOf(items ?? {}).format].includes("binary");
  });
  return new Set(fields.map(([name]) => name));
}

function typeOf(schema: OpenApiSchema, files: ReadonlySet<string> = new Set()): string {
  const { $ref, enum: choices, anyOf, oneOf, allOf = [], items } = schema;
  if ($ref !== undefined) return $ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return `(${alternatives.map((one) => typeOf(schemaOf(one))).join(" | ")})`;
  const own = ownType(schema, Array.isArray(items) ? {} : schemaOf(items ?? {}), files);
  return [own, ...allOf.map((one) => typeOf(schemaOf(one)))].join(" & ");
}

function ownType(schema: OpenApiSchema, item: OpenApiSchema, files: ReadonlySet<string>): string {
  const { type } = schema;
  if (Array.isArray(type))
    return type.map((one) => ownType({ ...schema, type: one }, item, files)).join(" | ");
  switch (type ?? (schema.properties ? "object" : undefined)) {
    case "array":
      return `readonly (${typeOf(item)})[]`;
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
