import { html } from "hono/html";
import type { Parameter, OpenApiSchema } from "../openapi/model.ts";
import { schemaOf } from "../openapi/sample.ts";
import { type Markup, prose } from "./text.ts";
import { boundsOf, itemOf, typeOf } from "./types.ts";

/** One line of a table. */
interface Field {
  readonly name: string;
  readonly schema: OpenApiSchema;
  readonly description: string;
  /** Whether it must be there, or may be missing: whichever is not to be expected. */
  readonly presence: "required" | "not always" | "";
  /** What may be given in its stead. */
  readonly instead?: readonly string[];
  /** Where it stands, if that is not plain. */
  readonly place?: string;
}

/** What a request may hold, as a table. */
export function inputTable(schema: OpenApiSchema): Markup {
  return table([...fieldsIn(schema, ["required", ""])]);
}

/** What an answer holds, as a table. */
export function outputTable(schema: OpenApiSchema): Markup {
  return table([...fieldsIn(schema, ["", "not always"])]);
}

/** What a request takes beside its body, as a table. */
export function parametersTable(parameters: readonly Parameter[]): Markup {
  return table(
    parameters.map(({ required, in: place, ...parameter }) => ({
      ...parameter,
      place,
      presence: required ? "required" : "",
    })),
  );
}

/**
 * The fields of an object, then of those that are written out inside it.
 * @param presence what is said of one that must be there, and of one that may be missing
 */
function* fieldsIn(
  { properties = {}, required = [], allOf = [] }: OpenApiSchema,
  presence: readonly [Field["presence"], Field["presence"]],
  prefix = "",
): Generator<Field> {
  // The names of which one at least must be there.
  const choices = allOf.map(({ anyOf = [] }) => anyOf.flatMap((one) => one.required ?? []));
  for (const [key, property] of Object.entries(properties)) {
    const schema = schemaOf(property);
    const { title, description = "", type, anyOf = [] } = schema;
    const name = prefix + key;
    yield {
      name,
      schema,
      // What a form calls it stands before what is said of it.
      description: title === undefined ? description : `${title}. ${description}`,
      presence: presence[required.includes(key) ? 0 : 1],
      instead: choices.flatMap((names) => (names.includes(key) ? names.filter((one) => one !== key) : [])),
    };
    if (type === "array") yield* fieldsIn(itemOf(schema), presence, `${name}[].`);
    else for (const one of [schema, ...anyOf]) yield* fieldsIn(one, presence, `${name}.`);
  }
}

function table(fields: readonly Field[]): Markup {
  return html`<table>
    <tbody>
      ${fields.map(row)}
    </tbody>
  </table>`;
}

function row({ name, presence, instead = [], description, schema, place }: Field): Markup {
  const catalogue = schema["x-catalogue"];
  const notes = [
    ...instead.map((other) => `this or \`${other}\` is required`),
    ...(catalogue === undefined ? [] : [`listed by \`GET /v1/catalogues/${written(catalogue)}\``]),
    ...boundsOf(schema),
    ...((schema.default ?? "") === "" ? [] : [`default \`${written(schema.default)}\``]),
    ...exampleIn(schema),
  ];
  return html`<tr>
    <th scope="row">
      <code>${name}</code>
      <small>${typeOf(schema)}${place === undefined ? "" : html` · ${place}`}</small>
      ${presence && html`<small class="presence">${presence}</small>`}
    </th>
    <td>
      ${description ? html`<p>${prose(description)}</p>` : ""}
      ${notes.length > 0 ? html`<p class="bounds">${notes.map((note) => html`<span>${prose(note)}</span>`)}</p>` : ""}
    </td>
  </tr>`;
}

/** An example, unless the default is one. */
function exampleIn({ examples = [], default: standard, enum: choices }: OpenApiSchema): string[] {
  const [example] = examples;
  if (example === undefined || choices || written(example) === written(standard)) return [];
  return [`for example \`${written(example)}\``];
}

function written(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
