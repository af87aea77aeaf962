import type { z } from "zod";
import { type ErrorCode, type Params, ReelayError } from "../../../common/errors.ts";

/** How a check that knows its bounds fails: the error, and what fills its sentence beside the field's name. */
interface Breach {
  readonly code: ErrorCode;
  readonly bounds: Params;
}

/** The options of a zod check that fails with this error. */
export function breach(code: ErrorCode, bounds: Params): { params: { breach: Breach } } {
  return { params: { breach: { code, bounds } } };
}

/**
 * Checks a request before anything is sent.
 * @throws ReelayError for the first mistake: `field_required`, `field_out_of_range`, `field_too_long`,
 * `field_count`, `field_invalid` or `field_unknown`, with the service's name of the field
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw mistake(parsed.error.issues[0], value);
}

function mistake(issue: z.core.$ZodIssue | undefined, value: unknown): ReelayError {
  // What is checked without a name is an id.
  const field = String(issue?.path[0] ?? "id");
  const invalid = (wanted: string) => new ReelayError("field_invalid", { field, wanted });
  if (isMissing(value, issue?.path[0])) return new ReelayError("field_required", { field });
  switch (issue?.code) {
    case "unrecognized_keys":
      return new ReelayError("field_unknown", { name: issue.keys.join(", ") });
    case "invalid_value":
      return invalid(issue.values.join(", "));
    case "invalid_type":
      return invalid(issue.expected);
    case "custom": {
      if (!issue.params) return invalid(issue.message);
      const { code, bounds } = issue.params["breach"] as Breach;
      return new ReelayError(code, { field, ...bounds });
    }
    default:
      return invalid(issue?.message ?? "");
  }
}

function isMissing(value: unknown, name: PropertyKey | undefined): boolean {
  if (name === undefined || typeof value !== "object" || value === null) return false;
  const given: unknown = Reflect.get(value, name);
  return given === undefined || given === "";
}
