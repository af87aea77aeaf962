import { html } from "hono/html";

/** A piece of a page, escaped. */
export type Markup = ReturnType<typeof html>;

/** A line of text in which words between backticks are code, and `{name}` stands for a value. */
export function prose(text: string): Markup {
  const parts = text.split("`");
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : withBlanks(part)))}`;
}

function withBlanks(text: string): Markup {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<var>${part}</var>` : part))}`;
}

/** The anchor of a heading. */
export function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(/\W+/g, "-");
}

/** Something to be copied, with what it is. */
export function sample(title: string, text: string): Markup {
  return html`<figure>
    <figcaption>${title}</figcaption>
    <pre tabindex="0"><code>${text}</code></pre>
  </figure>`;
}

/** JSON, as it is read most easily. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** One thing that the page tells of: words, and what may be copied beside them. */
export interface Article {
  readonly anchor: string;
  readonly title: string;
  /** What the index calls it, if not by its title. */
  readonly listed?: string;
  /** What programs write. */
  readonly call?: Markup;
  readonly words: Markup;
  readonly samples: Markup | "";
}

/** An article as it is shown. */
export function articleMarkup({ anchor, title, call, words, samples }: Article): Markup {
  return html`<article id="${anchor}">
    <div class="words">
      <h3><a href="#${anchor}">${title}</a></h3>
      ${call && html`<p class="call">${call}</p>`} ${words}
    </div>
    <div class="samples">${samples}</div>
  </article>`;
}
