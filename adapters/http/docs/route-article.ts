import { html } from "hono/html";
import type { OpenApi, OpenApiOperation, Response, OpenApiSchema } from "../openapi/model.ts";
import { resolved } from "../openapi/schemas.ts";
import { type ExampleCall, curlOf, formCurlOf } from "./calls.ts";
import { inputTable, parametersTable } from "./fields.ts";
import { type Article, type Markup, pretty, prose, sample } from "./text.ts";
import { typeOf } from "./types.ts";

/** Everything about one route. */
export function routeArticle(call: ExampleCall, { components: { schemas } }: OpenApi): Article {
  const { method, path, operation } = call;
  const { operationId: anchor, summary: title, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  return {
    anchor,
    title,
    call: html`<b class="${method}">${method.toUpperCase()}</b> <code>/v1${path}</code>
      <small class="scope">${scopeOf(operation)}</small>`,
    words: html`${description === undefined ? "" : html`<p>${prose(description)}</p>`}
      ${parameters.length === 0 ? "" : [html`<h4>Parameters</h4>`, parametersTable(parameters)]}
      ${body ? bodyOf(resolved(body, schemas)) : ""}
      <h4>Answers</h4>
      <dl class="answers">${Object.entries(responses).map(answer)}</dl>`,
    samples: samples(call),
  };
}

function bodyOf(schema: OpenApiSchema): Markup {
  const isByOperation = schema.allOf !== undefined;
  return html`<h4>Body</h4>
    ${inputTable(schema)}
    ${isByOperation ? html`<p><a href="#operations">Operations</a> says what each takes as <code>input</code>.</p>` : ""}`;
}

function scopeOf({ security: [need] }: OpenApiOperation): string {
  return need ? need.token.join(", ") || "any token" : "no token";
}

function answer([status, { description, headers, content = {} }]: [string, Response]): Markup {
  const [first] = Object.entries(content);
  const types = Object.keys(content).join(", ");
  const codes = Object.keys(first?.[1].examples ?? {});
  const own = Object.entries(headers).flatMap(([name, header]) =>
    "description" in header ? [{ name, text: header.description }] : [],
  );
  return html`<div>
    <dt><code>${status}</code></dt>
    <dd>
      ${
        codes.length > 0
          ? codes.map((code) => html`<a href="#${code}"><code>${code}</code></a> `)
          : html`${prose(description)} ${first?.[1].schema ? typeOf(first[1].schema) : types}`
      }
      ${own.map(({ name, text }) => html`<p><code>${name}</code> ${prose(text)}</p>`)}
    </dd>
  </div>`;
}

function samples(call: ExampleCall): Markup {
  const { responses } = call.operation;
  const form = formCurlOf(call);
  const [status, done] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const example = done?.content?.["application/json"]?.example;
  return html`${sample("Request", curlOf(call))}
  ${form === undefined ? "" : sample("The same as a form", form)}
  ${example === undefined ? "" : sample(`Answer, ${status}`, pretty(example))}`;
}
