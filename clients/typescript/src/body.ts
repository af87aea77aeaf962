import type { NewJob, NewQuote } from "./made/requests.ts";

/** What carries a request. */
interface Body {
  readonly body: NonNullable<RequestInit["body"]>;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as JSON; as a form where it has files, which are then read as they are sent. */
export function bodyOf({ operation, input, ...beside }: NewJob | NewQuote): Body {
  const values = Object.entries({ operation, ...input, ...beside });
  if (!values.some(([, value]) => listOf(value).some((one) => one instanceof Blob)))
    return {
      body: JSON.stringify({ operation, input, ...beside }),
      headers: { "content-type": "application/json" },
    };
  const form = new FormData();
  for (const [name, value] of values) for (const one of listOf(value)) form.append(name, partOf(one));
  return { body: form, headers: {} };
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function partOf(value: unknown): string | Blob {
  return typeof value === "string" || value instanceof Blob ? value : JSON.stringify(value);
}
