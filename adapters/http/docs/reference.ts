import { html } from "hono/html";
import type { OpenApi } from "../openapi/model.ts";
import { sampleOf, schemaOf } from "../openapi/sample.ts";
import { componentName, resolved } from "../openapi/schemas.ts";
import type { ProblemBody } from "../resources/problem.ts";
import { inputTable, outputTable } from "./fields.ts";
import { type Article, type Markup, pretty, prose, sample } from "./text.ts";

/** What each operation takes, as the schema of a job tells it. */
export function operationArticles({ paths, components: { schemas } }: OpenApi): Article[] {
  const examples = paths["/jobs"]?.["post"]?.requestBody?.content["application/json"]?.examples ?? {};
  return (schemas["OperationInput"]?.oneOf ?? []).map(({ title = "", properties = {} }) => {
    const id = String(schemaOf(properties["operation"] ?? {}).const);
    const input = resolved(schemaOf(properties["input"] ?? {}), schemas);
    const example = examples[id];
    return {
      anchor: `operation-${id}`,
      title,
      call: html`<code>${id}</code>`,
      words: html`<p>${prose(input.description ?? "")}.</p>
        ${inputTable(input)}`,
      samples: example && "value" in example ? sample("Body of a job", pretty(example.value)) : "",
    };
  });
}

/** What each object holds that answers are made of, in the order in which they are first met. */
export function objectArticles({ paths, components: { schemas } }: OpenApi): Article[] {
  const names = new Set<string>();
  const meet = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const name = componentName(value);
    if (name !== undefined && !names.has(name)) {
      names.add(name);
      meet(schemas[name]);
    }
    Object.values(value).forEach(meet);
  };
  meet(Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.responses)));
  return [...names].map((name) => {
    const { [name]: schema = {} } = schemas;
    return {
      anchor: `object-${name}`,
      title: name,
      words: html`${schema.description === undefined ? "" : html`<p>${prose(schema.description)}</p>`}
      ${outputTable(schema)}`,
      samples: sample("Such as", pretty(sampleOf(schema, schemas))),
    };
  });
}

/** Every refusal, by status code; the examples of a document are its problems. */
export function problems({ components: { examples } }: OpenApi): Markup {
  const all = Object.values(examples).map(({ value }) => value as unknown as ProblemBody);
  return html`${all
    .toSorted((one, other) => one.status - other.status)
    .map(
      ({ code, title, status, detail, retryable }) =>
        html`<article class="problem" id="${code}">
          <h3><a href="#${code}">${title}</a></h3>
          <p class="call">
            <b>${status}</b>
            <code>${code}</code> ${retryable ? html`<small class="scope">may succeed later</small>` : ""}
          </p>
          <p>${prose(detail)}</p>
        </article>`,
    )}`;
}
