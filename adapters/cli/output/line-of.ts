import type { ActionLine, CliEvent, Said } from "./events.ts";

/**
 * Raised when a field goes or changes its meaning, so that a program that reads an older one can tell. New events and fields
 * come without it.
 */
const VERSION = 1;

/** An event as a line for programs: what people read of it is left out, and what it was made of stays. */
export function lineOf(event: CliEvent): object {
  return { version: VERSION, ...dataOf(event) };
}

function dataOf(event: CliEvent): object {
  switch (event.event) {
    case "notice": {
      const facts = event.facts.map(({ name, value }) => ({ name, ...sentenceOf(value) }));
      return { ...bare(event), facts };
    }
    case "menu": {
      const items = event.items.map(({ title, detail, actions, ...item }) => ({
        ...item,
        title: sentenceOf(title),
        ...(detail && { detail: sentenceOf(detail) }),
        actions: tokensOf(actions),
      }));
      return { ...bare(event), items };
    }
    case "progress":
    case "problem":
    case "file":
      return bare(event);
    case "result":
      return { ...event, actions: tokensOf(event.actions) };
    case "form": {
      const { changes: _, ...data } = event;
      return data;
    }
    default:
      return event;
  }
}

function bare<E extends { readonly text: string; readonly actions: readonly ActionLine[] }>(event: E) {
  const { text: _, actions, ...data } = event;
  return { ...data, actions: tokensOf(actions) };
}

const sentenceOf = ({ key, params }: Said) => ({ key, params });

const tokensOf = (actions: readonly ActionLine[]) => actions.map(({ token }) => token);
