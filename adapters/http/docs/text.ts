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
