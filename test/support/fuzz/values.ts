import type { OpenApi, OpenApiSchema } from "../../../adapters/http/openapi/model.ts";
import type { Json } from "../../../src/common/json.ts";

/** Draws a number from 0 on, below another. */
export type Draw = (below: number) => number;

/** One of a list, which has some. */
export function pick<T>(draw: Draw, list: readonly T[]): T {
  const one = list[draw(list.length)];
  if (one === undefined) throw new Error("Nothing to pick from.");
  return one;
}

/** Whether something happens that happens so often in a hundred times. */
export const chance = (draw: Draw, percent: number): boolean => draw(100) < percent;

/** Values that fit the schemas of a document. */
export class Values {
  readonly #document: OpenApi;
  readonly #draw: Draw;
  /** What stands for files: the examples of a document lead elsewhere. */
  readonly #file: string;

  constructor(document: OpenApi, draw: Draw, file: string) {
    this.#document = document;
    this.#draw = draw;
    this.#file = file;
  }

  /** A value that fits a schema, as far as anything but the operation's own rules is concerned. */
  of(schema: OpenApiSchema | boolean): Json {
    if (typeof schema === "boolean") return null;
    if (schema.$ref !== undefined) return this.of(this.#referred(schema.$ref));
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(this.#draw, schema.enum);
    const several = schema.oneOf ?? schema.anyOf;
    if (several) return this.of(pick(this.#draw, several));
    const type = [schema.type].flat()[0];
    if (type === "object") return this.#object(schema);
    if (type === "array") return this.#array(schema);
    if (type === "boolean") return chance(this.#draw, 50);
    if (type === "integer" || type === "number") return this.#number(schema);
    return type === "string" ? this.#text(schema) : ((schema.examples?.[0] ?? null) as Json);
  }

  #referred(reference: string): OpenApiSchema {
    const found = this.#document.components.schemas[reference.split("/").at(-1) ?? ""];
    if (!found) throw new Error(`The document has no ${reference}.`);
    return found;
  }

  #object({ properties = {}, required = [] }: OpenApiSchema): Json {
    const entries = Object.entries(properties)
      .filter(([name]) => required.includes(name) || chance(this.#draw, 20))
      .map(([name, inner]) => [name, this.of(inner)] as const);
    return Object.fromEntries(entries);
  }

  #array({ items, minItems = 0, maxItems = minItems + 2 }: OpenApiSchema): Json {
    const count = minItems + this.#draw(Math.min(maxItems, minItems + 3) - minItems + 1);
    const one = items === undefined || Array.isArray(items) ? true : items;
    return Array.from({ length: count }, () => this.of(one));
  }

  #number({ minimum = 0, maximum = minimum + 100, examples }: OpenApiSchema): Json {
    if (examples && chance(this.#draw, 50)) return examples[0] as Json;
    return minimum + this.#draw(Math.min(maximum, minimum + 1_000) - minimum + 1);
  }

  #text({ examples, format, maxLength = 40 }: OpenApiSchema): Json {
    const example = examples?.[0];
    if (typeof example === "string")
      return /^https:\/\/example\.com\/\w+\.\w+$/.test(example) ? this.#file : example;
    if (format === "date-time") return "2026-01-01T00:00:00Z";
    return "words ".repeat(1 + this.#draw(5)).slice(0, maxLength);
  }
}
