import type { OpenApi, OpenApiSchema } from "../../../adapters/http/openapi/model.ts";
import { schemaOf } from "../../../adapters/http/openapi/sample.ts";

/** What a client's sources are called that are made from the gateway's document. */
export const PARTS = ["requests", "answers"] as const;

/** One of {@link PARTS}. */
export type Part = (typeof PARTS)[number];

/** What stands at the beginning of each. */
export const HEADS = {
  requests: "What is asked for. Made from the OpenAPI document by `npm run docs:client`.",
  answers: "What else is sent and comes back. Made from the OpenAPI document by `npm run docs:client`.",
} as const satisfies Record<Part, string>;

/** A schema that a client has a type for. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: OpenApiSchema;
  /** Those of its fields that may be files: a client sends them as a form. */
  readonly files: ReadonlySet<string>;
}

/** The schemas of the document that belong to a part. */
export function namedSchemas(
  { components: { schemas } }: Pick<OpenApi, "components">,
  part: Part,
): readonly NamedSchema[] {
  const asked = reachable(schemas, ["NewJob", "NewQuote"]);
  return Object.entries(schemas)
    .filter(([name]) => !/(?:Form|Part)$/.test(name) && asked.has(name) === (part === "requests"))
    .map(([name, schema]) => {
      const form = name.endsWith("Input") ? schemas[name.replace(/Input$/, "JobForm")] : undefined;
      return { name, schema, files: filesOf(form) };
    });
}

/** The names of schemas, and of everything that they point to. */
function reachable(
  schemas: Readonly<Record<string, OpenApiSchema>>,
  names: readonly string[],
  found = new Set<string>(),
): ReadonlySet<string> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    const pointers = JSON.stringify(schemas[name]).matchAll(/"\$ref":"([^"]+)"/g);
    reachable(
      schemas,
      [...pointers].map(([, pointer = ""]) => nameIn(pointer)),
      found,
    );
  }
  return found;
}

/** The fields of a form that may be files. */
function filesOf(form: OpenApiSchema = {}): ReadonlySet<string> {
  const fields = Object.entries(form.properties ?? {}).filter(([, field]) => {
    const schema = schemaOf(field);
    return [schema.format, itemOf(schema).format].includes("binary");
  });
  return new Set(fields.map(([name]) => name));
}

/** What a list holds. */
export function itemOf({ items }: OpenApiSchema): OpenApiSchema {
  return Array.isArray(items) ? {} : schemaOf(items ?? {});
}

/** The name of what a schema points to. */
export const nameIn = ($ref: string): string => $ref.split("/").at(-1) ?? "";
