import { html } from "hono/html";
import type { Json } from "../../../src/common/json.ts";
import { INTRODUCTION } from "../openapi/introduction.ts";
import type { OpenApi } from "../openapi/model.ts";
import { type ExampleCall, curlOf } from "./calls.ts";
import { objectArticles, operationArticles, problems } from "./reference.ts";
import { routeArticle } from "./route-article.ts";
import { STYLE_ELEMENT } from "./style.ts";
import { anchorOf, type Article, articleMarkup, type Markup, prose, sample } from "./text.ts";
import { webhookArticles } from "./webhook-articles.ts";

/** A part of the page: what it shows, and what the index says of that. */
interface Section {
  readonly title: string;
  readonly entries: readonly Pick<Article, "anchor" | "title" | "listed">[];
  readonly content: readonly Markup[];
}

const sectionOf = (title: string, articles: readonly Article[]): Section => ({
  title,
  entries: articles,
  content: articles.map(articleMarkup),
});

/**
 * The documentation as one page, made of the document alone; it needs no scripts and nothing from elsewhere.
 * @param base the server's address with `/v1`, as the reader reaches it
 */
export function docsPage(document: OpenApi, base: string): Markup {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ base, method, path, operation })),
  );
  const routesOf = (tag: string) => calls.filter(({ operation }) => operation.tags.includes(tag));
  const sections: readonly Section[] = [
    introduction(calls),
    ...document.tags.map(({ name }) =>
      sectionOf(
        name,
        routesOf(name).map((call) => routeArticle(call, document)),
      ),
    ),
    sectionOf("Operations", operationArticles(document)),
    sectionOf("Messages", webhookArticles(document)),
    sectionOf("Objects", objectArticles(document)),
    { title: "Problems", entries: [], content: [problems(document)] },
  ];
  const contents = index(sections);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Reelay API</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>
          <h1>Reelay API</h1>
          <p>Version ${document.info.version} · <a href="openapi.json">OpenAPI</a></p>
        </header>
        <details class="contents">
          <summary>Contents</summary>
          ${contents}
        </details>
        <nav aria-label="Contents">${contents}</nav>
        <main>
          ${sections.map(
            ({ title, content }) =>
              html`<section id="${anchorOf(title)}">
                <h2>${title}</h2>
                ${content}
              </section>`,
          )}
        </main>
      </body>
    </html>`;
}

function index(sections: readonly Section[]): Markup {
  return html`<ul>
    ${sections.map(
      ({ title, entries }) =>
        html`<li>
          <a href="#${anchorOf(title)}">${title}</a>
          <ul>
            ${entries.map((entry) => html`<li><a href="#${entry.anchor}">${entry.listed ?? entry.title}</a></li>`)}
          </ul>
        </li>`,
    )}
  </ul>`;
}

function introduction(calls: readonly ExampleCall[]): Section {
  return {
    title: "Introduction",
    entries: INTRODUCTION.map(({ title }) => ({ title, anchor: `about-${anchorOf(title)}` })),
    content: [
      html`<article>
        <div class="words">
          ${INTRODUCTION.map(
            ({ title, text }) =>
              html`<h3 id="about-${anchorOf(title)}">${title}</h3>
                ${text.map((one) => html`<p>${prose(one)}</p>`)}`,
          )}
        </div>
        <div class="samples">${firstSteps(calls)}</div>
      </article>`,
    ],
  };
}

/** Calls that work as they stand, once the token is filled in. */
function firstSteps(calls: readonly ExampleCall[]): Markup {
  const [create, read, download] = ["createJob", "readJob", "readMedia"].map((name) =>
    calls.find(({ operation }) => operation.operationId === name),
  );
  if (!create || !read || !download) return html``;
  return html`${sample("Your token", "export REELAY_TOKEN=…")}
  ${sample("Make something that needs no photo", curlOf(create, textOnly(create)))}
  ${sample("Look how it is, with the id of the answer", `ID=…\n${curlOf(read)}`)}
  ${sample("Fetch the result", curlOf(download))}`;
}

/** A job that begins with words alone. */
function textOnly({ operation }: ExampleCall): Json | undefined {
  const examples = operation.requestBody?.content["application/json"]?.examples ?? {};
  const bodies = Object.values(examples).flatMap((example) => ("value" in example ? [example.value] : []));
  return bodies.find((body) => !JSON.stringify(body).includes("https:"));
}
