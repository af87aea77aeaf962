import { html } from "hono/html";
import type { Parameter, OpenApiSchema } from "../openapi/model.ts";
import { schemaOf } from "../openapi/sample.ts";
import { type Markup, prose } from "./text.ts";
import { boundsOf, itemOf, typeOf } from "./types.ts";

/** One line of a table. */
interface Field {
  readonly name: string;
  /** Whether it must be there, or may be missing: whichever is not to be expected. */
  readonly presence: "required" | "not always" | "";
  /** What may be given in its stead. */
  readonly instead?: readonly string[];
  readonly description: string;
  readonly schema: OpenApiSchema;
  /** Where it stands, if that is not plain. */
  readonly place?: string;
}

/** What a request may hold, as a table. */
export function inputTable(schema: OpenApiSchema): Markup {
  return table([...fieldsIn(schema, "", (isRequired) => (isRequired ? "required" : ""))]);
}

/** What an answer holds, as a table. */
export function outputTable(schema: OpenApiSchema): Markup {
  return table([...fieldsIn(schema, "", (isRequired) => (isRequired ? "" : "not always"))]);
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

type Presence = (isRequired: boolean) => Field["presence"];

/** The fields of an object, then of those that are written out inside it. */
function* fieldsIn(object: OpenApiSchema, prefix: string, presence: Presence): Generator<Field> {
  const { properties = {}, required = [] } = object;
  const choices = choicesIn(object);
  for (const [name, property] of Object.entries(properties)) {
    const schema = schemaOf(property);
    const full = prefix + name;
    const instead = choices.filter((names) => names.includes(name)).flat();
    yield {
      name: full,
      presence: presence(required.includes(name)),
      instead: instead.filter((other) => other !== name),
      description: descriptionOf(schema),
      schema,
    };
    const isList = schema.type === "array";
    const inner = isList ? [itemOf(schema)] : [schema, ...(schema.anyOf ?? [])];
    for (const one of inner) yield* fieldsIn(one, `${full}${isList ? "[]" : ""}.`, presence);
  }
}

/** The names of which one at least must be there. */
function choicesIn({ allOf = [] }: OpenApiSchema): string[][] {
  return allOf.map(({ anyOf = [] }) => anyOf.flatMap(({ required = [] }) => required));
}

/** What a form calls it stands before what is said of it. */
function descriptionOf({ title, description = "" }: OpenApiSchema): string {
  return title === undefined ? description : `${title}. ${description}`;
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
