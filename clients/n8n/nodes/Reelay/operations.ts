import type {
  FieldType,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from "n8n-workflow";
import { call, type Caller } from "./call.ts";
import type { Operation } from "./model.ts";

/** What a field of a file takes, behind its name. */
const FILE_HINT = "name of a binary field, or an https address";

/** The choice of what can be made. */
export async function choicesFor(self: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { data } = await call<{ readonly data: readonly Operation[] }>(self, "/v1/operations");
  return data.map(({ id, title, description }) => ({ name: title, value: id, description }));
}

/** The fields of what was chosen. */
export async function fieldsFor(self: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const chosen = self.getCurrentNodeParameter("make");
  if (typeof chosen !== "string" || chosen === "") return { fields: [] };
  return { fields: fieldsOf(await operation(self, chosen)) };
}

/** One of what can be made. @throws NodeApiError where there is none */
export async function operation(self: Caller, id: string): Promise<Operation> {
  return call<Operation>(self, `/v1/operations/${encodeURIComponent(id)}`);
}

function fieldsOf({ input_schema: { properties, required } }: Operation): ResourceMapperField[] {
  return Object.entries(properties).map(([id, schema]) => {
    const { title = id, enum: values } = schema;
    const isFile = schema["x-file"] !== undefined;
    const many = schema.type === "array" ? "; several with commas between" : "";
    return {
      id,
      displayName: isFile ? `${title} (${FILE_HINT}${many})` : title,
      required: required.includes(id),
      defaultMatch: false,
      display: true,
      // What may be left out is added by who wants it.
      removed: !required.includes(id) && id !== "prompt",
      type: typeOf(schema),
      options: (values ?? []).map((value) => ({ name: String(value), value })),
      // Null: it begins empty.
      defaultValue: schema.default ?? null,
    };
  });
}

function typeOf({ type, enum: values }: Operation["input_schema"]["properties"][string]): FieldType {
  if (values) return "options";
  if (type === "integer" || type === "number") return "number";
  return type === "boolean" ? "boolean" : "string";
}
