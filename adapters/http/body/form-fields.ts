import type { Json } from "../../../src/common/json.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { WrongFields } from "../access/problem.ts";
import { parseJson } from "./parse-json.ts";
import type { FormParts } from "./read-form.ts";

/** How the texts of a name are understood. */
type Reader = (texts: readonly string[], name: string) => Json;

/** What does not belong to the operation's input. */
const BESIDE_INPUT: ReadonlyMap<string, Reader> = new Map([
  ["operation", one((text) => text)],
  ["platform", one((text) => text)],
  ["in_app_username", one((text) => text)],
  ["agreed", (texts, name) => texts.flatMap((text) => listIn(text, name))],
  ["metadata", one(jsonOf)],
  ["webhook", one((text, name) => (text.trimStart().startsWith("{") ? jsonOf(text, name) : text))],
]);

/**
 * A form as the same request would be in JSON: what is not known to stand beside it is a field of `input`. A name that
 * comes several times is a list; so is one that ends in `[]`.
 * @throws WrongFields for what must be JSON and is not, and what may come once and comes again
 */
export function formFields(parts: FormParts): { readonly [name: string]: Json } {
  const beside: [string, Json][] = [];
  const input = new Map<string, readonly string[]>();
  for (const [name, values] of parts) {
    const understood = BESIDE_INPUT.get(name);
    if (understood) beside.push([name, understood(values, name)]);
    else input.set(name, values);
  }
  const fields = [...input].map(([name, values]): [string, Json] => {
    const [only = ""] = values;
    if (name.endsWith("[]")) return [name.slice(0, -2), values];
    return [name, values.length === 1 ? only : values];
  });
  return { ...Object.fromEntries(beside), input: Object.fromEntries(fields) };
}

/** A reader of what may come once. */
function one(read: (text: string, name: string) => Json): Reader {
  return ([text = "", ...more], name) => {
    if (more.length > 0) throw wrong(name, "one value");
    return read(text, name);
  };
}

/** A list as it is written in JSON, or with commas alone. */
function listIn(text: string, name: string): readonly Json[] {
  const written = text.trim();
  if (!written.startsWith("[")) return written.split(",").map((one) => one.trim());
  // What begins so is a list, or no JSON.
  return jsonOf(written, name) as readonly Json[];
}

function jsonOf(text: string, name: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof ReelayError) throw wrong(name, "JSON");
    throw error;
  }
}

function wrong(field: string, wanted: string): WrongFields {
  return new WrongFields([{ field, code: "field_invalid", params: { field, wanted } }]);
}
