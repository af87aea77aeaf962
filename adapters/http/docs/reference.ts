import { html } from "hono/html";
import type { Example, OpenApi, OpenApiSchema } from "../openapi/model.ts";
import { sampleOf, schemaOf } from "../openapi/sample.ts";
import { componentName, resolved } from "../openapi/schemas.ts";
import type { ProblemBody } from "../resources/problem.ts";
import { inputTable, outputTable } from "./fields.ts";
import { type Markup, pretty, prose, sample } from "./text.ts";

/** One thing that can be made. */
export interface Made {
  readonly id: string;
  readonly title: string;
  readonly input: OpenApiSchema;
}

/** What can be made, as the schema of a job tells it. */
export function madeBy({ components: { schemas } }: OpenApi): Made[] {
  return (schemas["OperationInput"]?.oneOf ?? []).map(({ title = "", properties = {} }) => ({
    id: String(schemaOf(properties["operation"] ?? {}).const),
    title,
    input: resolved(schemaOf(properties["input"] ?? {}), schemas),
  }));
}

/** What each operation takes. */
export function operationArticles(document: OpenApi): Markup[] {
  return madeBy(document).map(
    ({ id, title, input }) =>
      html`<article id="operation-${id}">
        <div class="words">
          <h3><a href="#operation-${id}">${title}</a></h3>
          <p class="call"><code>${id}</code></p>
          <p>${prose(input.description ?? "")}.</p>
          ${inputTable(input)}
        </div>
        <div class="samples">${exampleOf(document, id)}</div>
      </article>`,
  );
}

function exampleOf({ paths }: OpenApi, id: string): Markup {
  const example = paths["/jobs"]?.["post"]?.requestBody?.content["application/json"]?.examples?.[id];
  return html`${example && "value" in example ? sample("Body of a job", pretty(example.value)) : ""}`;
}

/** The names of the objects that answers are made of, in the order in which they are first met. */
export function objectsIn({ paths, components: { schemas } }: OpenApi): string[] {
  const answers = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ responses }) => responses),
  );
  const names = new Set<string>();
  meet(answers);
  return [...names];

  function meet(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    const name = componentName(value);
    if (name !== undefined && !names.has(name)) {
      names.add(name);
      meet(schemas[name]);
    }
    Object.values(value).forEach(meet);
  }
}

/** What each object holds. */
export function objectArticles(document: OpenApi): Markup[] {
  const { schemas } = document.components;
  return objectsIn(document).map((name) => {
    const { [name]: schema = {} } = schemas;
    return html`<article id="object-${name}">
      <div class="words">
        <h3><a href="#object-${name}">${name}</a></h3>
        ${schema.description === undefined ? "" : html`<p>${prose(schema.description)}</p>`}
        ${outputTable(schema)}
      </div>
      <div class="samples">${sample("Such as", pretty(sampleOf(schema, schemas)))}</div>
    </article>`;
  });
}

/** Every refusal, by status code. */
export function problemArticles({ components: { examples } }: OpenApi): Markup[] {
  const problems = Object.values(examples).map(problemIn);
  return problems.toSorted((one, other) => one.status - other.status).map(problemArticle);
}

/** The examples of a document are its problems. */
function problemIn({ value }: Example): ProblemBody {
  return value as unknown as ProblemBody;
}

function problemArticle({ code, title, status, detail, retryable }: ProblemBody): Markup {
  return html`<article class="problem" id="${code}">
    <h3><a href="#${code}">${title}</a></h3>
    <p class="call">
      <b>${status}</b>
      <code>${code}</code> ${retryable ? html`<small class="scope">may succeed later</small>` : ""}
    </p>
    <p>${prose(detail)}</p>
  </article>`;
}
