import { html } from "hono/html";
import type { OpenApi, OpenApiOperation, Response, OpenApiSchema } from "../openapi/model.ts";
import { resolved } from "../openapi/schemas.ts";
import { type ExampleCall, curlOf, formCurlOf } from "./calls.ts";
import { inputTable, parametersTable } from "./fields.ts";
import { type Markup, pretty, prose, sample } from "./text.ts";
import { typeOf } from "./types.ts";

/** Everything about one route. */
export function routeArticle(call: ExampleCall, { components: { schemas } }: OpenApi): Markup {
  const { method, path, operation } = call;
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const written = requestBody?.content["application/json"]?.schema;
  const body = written && resolved(written, schemas);
  return html`<article id="${operationId}">
    <div class="words">
      <h3><a href="#${operationId}">${summary}</a></h3>
      <p class="call">
        <b class="${method}">${method.toUpperCase()}</b> <code>/v1${path}</code> ${scopeOf(operation)}
      </p>
      ${description === undefined ? "" : html`<p>${prose(description)}</p>`}
      ${
        parameters.length > 0
          ? html`<h4>Parameters</h4>
              ${parametersTable(parameters)}`
          : ""
      }
      ${body ? bodyOf(body) : ""}
      <h4>Answers</h4>
      <dl class="answers">${Object.entries(responses).map(answer)}</dl>
    </div>
    <div class="samples">${samples(call)}</div>
  </article>`;
}

function bodyOf(schema: OpenApiSchema): Markup {
  const isByOperation = schema.allOf !== undefined;
  return html`<h4>Body</h4>
    ${inputTable(schema)}
    ${isByOperation ? html`<p><a href="#operations">Operations</a> says what each takes as <code>input</code>.</p>` : ""}`;
}

function scopeOf({ security }: OpenApiOperation): Markup {
  const [need] = security;
  if (!need) return html`<small class="scope">no token</small>`;
  return html`<small class="scope">${need.token.length > 0 ? need.token.join(", ") : "any token"}</small>`;
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
