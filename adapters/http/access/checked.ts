import type { Context } from "hono";
import { z } from "zod";
import type { Json } from "../../../src/common/json.ts";
import type { ErrorCode, Params } from "../../../src/common/errors.ts";
import { boundsOf, type NumberBounds, wantedOf } from "../../../src/seam/forms/wanted.ts";
import { type WrongField, WrongFields } from "./problem.ts";

/**
 * A part of a request that fits its schema.
 * @param place where it stands, such as `query`; empty for the body
 * @throws WrongFields naming every field that does not
 */
export function checked<S extends z.ZodType>(schema: S, given: unknown, place = ""): z.output<S> {
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const wrong = new Map<string, WrongField>();
  // What is said first of a field is enough.
  for (const one of parsed.error.issues.flatMap((issue) => wrongFieldsOf(schema, issue, place)))
    if (!wrong.has(one.field)) wrong.set(one.field, one);
  throw new WrongFields([...wrong.values()]);
}

/** A number as it is written; what programs take for one besides, such as ` 10`, `0x10` and `1e1`, is a slip of the hand. */
const WRITTEN = { whole: /^-?\d+$/, any: /^-?\d+(?:\.\d+)?$/ } as const;

/** What came, with the numbers that came as texts where its schema takes numbers. */
export function withNumbers(
  schema: z.ZodType,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const read = Object.entries(given).map(([name, value]) => {
    const at = bare(schemaAt(schema, [name]));
    if (typeof value !== "string" || !(at instanceof z.ZodNumber)) return [name, value];
    const written = at.isInt ? WRITTEN.whole : WRITTEN.any;
    return [name, written.test(value) ? Number(value) : value];
  });
  return Object.fromEntries(read);
}

/**
 * What stands behind the address, where it fits its schema.
 * @throws WrongFields naming every field that does not, and those that come twice, of which one would be dropped
 */
export function checkedQuery<S extends z.ZodType>(schema: S, c: Context): z.output<S> {
  const given = [...new URL(c.req.url).searchParams];
  const wrong = [...Map.groupBy(given, ([name]) => `query.${name}`)]
    .filter(([, each]) => each.length > 1)
    .map(([field]): WrongField => ({ field, code: "field_invalid", params: { field, wanted: "one value" } }));
  if (wrong.length > 0) throw new WrongFields(wrong);
  return checked(schema, withNumbers(schema, Object.fromEntries(given)), "query");
}

function wrongFieldsOf(schema: z.ZodType, issue: z.core.$ZodIssue, place: string): WrongField[] {
  const path = [...(place ? [place] : []), ...issue.path.map(String)];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((name) => {
      const field = [...path, name].join(".");
      return { field, code: "field_unknown", params: { name: field } };
    });
  const field = path.join(".") || "body";
  const { code, params } = refusalOf(issue, boundsAt(schema, issue.path), place);
  const example = exampleAt(schema, issue.path);
  return [{ field, code, params: { ...params, field }, ...(example !== undefined && { example }) }];
}

function refusalOf(
  issue: z.core.$ZodIssue,
  bounds: NumberBounds,
  place: string,
): { code: ErrorCode; params: Params } {
  // Nothing of a query must be given: what is empty there was not left out.
  if (issue.input === undefined || (issue.input === "" && place !== "query"))
    return { code: "field_required", params: {} };
  if (issue.code === "too_big" && issue.origin === "string")
    return { code: "field_too_long", params: { max: Number(issue.maximum) } };
  return { code: "field_invalid", params: wantedOf(issue, bounds) };
}

/** The bounds of a field that is a number. */
function boundsAt(schema: z.ZodType, path: readonly PropertyKey[]): NumberBounds {
  const at = bare(schemaAt(schema, path));
  return at instanceof z.ZodNumber ? boundsOf(at) : {};
}

/** The schema of what stands at a path; of something in a list, that of the whole list. */
function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType {
  let at = schema;
  for (const step of path) {
    const inner: unknown = at instanceof z.ZodObject ? at.shape[String(step)] : undefined;
    if (!(inner instanceof z.ZodType)) break;
    at = inner;
  }
  return at;
}

/** A schema without what says that it may be left out. */
function bare(schema: z.ZodType): z.ZodType {
  let at = schema;
  while (at instanceof z.ZodOptional || at instanceof z.ZodDefault) at = at.unwrap() as z.ZodType;
  return at;
}

/** The example that the schema of a field carries; of something in it, that of the whole. */
function exampleAt(schema: z.ZodType, path: readonly PropertyKey[]): Json | undefined {
  let at = schemaAt(schema, path);
  while (at.meta()?.["example"] === undefined && (at instanceof z.ZodOptional || at instanceof z.ZodDefault))
    at = at.unwrap() as z.ZodType;
  return at.meta()?.["example"] as Json | undefined;
}
