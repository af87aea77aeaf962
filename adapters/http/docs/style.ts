import { createHash } from "node:crypto";
import { raw } from "hono/html";

/** Light or dark as the reader's system is; on a phone in one column. */
const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fdfcff, #131220);
  --sunken: light-dark(#f4f1fa, #1d1b2e);
  --line: light-dark(#e3deef, #35314f);
  --ink: light-dark(#1f1b33, #eeebf8);
  --soft: light-dark(#635d7c, #a9a3c4);
  --accent: light-dark(#5b37c4, #b8a1ff);
  --good: light-dark(#17694a, #7fdcb0);
  --warm: light-dark(#a34300, #ffb27d);
  --bad: light-dark(#b3261e, #ff9b91);
  font: 400 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  scroll-behavior: smooth;
  scroll-padding-top: 1.5rem;
}
@media (prefers-reduced-motion: reduce) { :root { scroll-behavior: auto; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.25rem; color: var(--ink); background: var(--ground); overflow-wrap: anywhere; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
h1, h2, h3, h4, p, ul, dl, dd, figure, pre { margin: 0; padding: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 3.5rem 0 0.5rem; font-size: 1.5rem; line-height: 1.2; }
h3 { font-size: 1.125rem; line-height: 1.3; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { margin: 0.75rem 0 -0.5rem; font-size: 0.8125rem; color: var(--soft); }
code, pre, var { font: 0.875em/1.55 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
var { color: var(--accent); }
small { font-size: 0.8125rem; color: var(--soft); }
header p { color: var(--soft); }
ul { list-style: none; }

.contents { margin-top: 1rem; }
.contents summary { cursor: pointer; }
nav { display: none; }
nav a, .contents a { color: var(--soft); text-decoration: none; }
nav a:hover, .contents a:hover { color: var(--accent); }
nav > ul > li, .contents > ul > li { margin-top: 1rem; }
nav > ul > li > a, .contents > ul > li > a { color: var(--ink); font-weight: 600; }
nav li li, .contents li li { padding-left: 0.75rem; font-size: 0.875rem; }

article { display: grid; gap: 1.25rem; padding: 1.75rem 0; border-top: 1px solid var(--line); }
.words { display: grid; gap: 0.75rem; min-width: 0; align-content: start; }
.words > * { min-width: 0; }
.words h3[id]:not(:first-child) { margin-top: 1.25rem; }
.samples { display: grid; gap: 1rem; min-width: 0; align-content: start; }
article.problem { gap: 0.25rem; padding: 1rem 0; }
article:target h3 { color: var(--accent); }

.call b { font-size: 0.8125rem; color: var(--accent); }
.call .get { color: var(--good); }
.call .delete { color: var(--bad); }
.call .put, .call .patch { color: var(--warm); }
.scope { padding: 0.1rem 0.5rem; border: 1px solid var(--line); border-radius: 1rem; white-space: nowrap; }

table { width: 100%; border-collapse: collapse; }
tr { border-top: 1px solid var(--line); }
tr:first-child { border-top: 0; }
th, td { display: block; padding: 0.5rem 0 0; text-align: left; font-weight: 400; }
td { padding: 0 0 0.6rem; font-size: 0.9375rem; }
td:empty, td p:empty { display: none; }
th > code { font-weight: 600; }
th > * { margin-right: 0.5rem; }
.presence { color: var(--warm); }
.bounds { color: var(--soft); font-size: 0.8125rem; }
.bounds code, small code { font-size: 1em; }
.bounds span:not(:last-child)::after { content: " · "; }

.answers > div { display: grid; grid-template-columns: 3rem 1fr; padding: 0.25rem 0; font-size: 0.9375rem; }
.answers a { white-space: nowrap; text-decoration: none; }
.answers a:hover { text-decoration: underline; }

figure { min-width: 0; }
figcaption { margin-bottom: 0.3rem; font-size: 0.8125rem; color: var(--soft); }
pre { padding: 0.85rem 1rem; overflow-x: auto; background: var(--sunken); border-radius: 10px; font-size: 0.8125rem; }
pre code { font-size: inherit; }

@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 15rem minmax(0, 1fr); column-gap: 3rem; padding: 0 2.5rem 4rem 0; }
  header { grid-column: 2; padding-top: 2.5rem; }
  .contents { display: none; }
  nav {
    display: block; grid-column: 1; grid-row: 1 / span 2; position: sticky; top: 0; height: 100vh;
    padding: 1.5rem 1rem 3rem 1.5rem; overflow-y: auto; border-right: 1px solid var(--line);
  }
  main { grid-column: 2; min-width: 0; max-width: 84rem; }
  tr { display: grid; grid-template-columns: minmax(9rem, 13rem) minmax(0, 1fr); column-gap: 1.25rem; }
  th, td { padding: 0.6rem 0; }
  th > * { display: block; margin: 0; }
}
@media (min-width: 80rem) {
  article:not(.problem) { grid-template-columns: minmax(0, 1fr) minmax(0, 0.85fr); column-gap: 3rem; }
  .samples { position: sticky; top: 1.5rem; max-height: calc(100vh - 3rem); overflow-y: auto; }
}
`;

/** How the page looks. */
export const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`);

/** What lets a browser apply this style and nothing else. */
export const STYLE_HASH = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;
