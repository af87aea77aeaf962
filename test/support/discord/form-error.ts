import { RESTJSONErrorCodes } from "discord.js";
import type { z } from "zod";
import { Refusal } from "./refusal.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** One wrong field: where it is, and Discord's code and sentence for it. */
interface FormError {
  readonly path: Path;
  readonly code: string;
  readonly message: string;
}

/** Refuses a body for one field, with Discord's own code and sentence. */
export const invalidField = (path: Path, code: string, message: string): Refusal =>
  refusal([{ path, code, message }]);

/** Refuses a body for what a schema found. */
export const invalidForm = (issues: readonly Issue[]): Refusal =>
  refusal(issues.flatMap((issue) => formErrors(issue, [])));

/**
 * Checks a body against rules.
 * @throws Refusal 50035 with the tree of wrong fields
 */
export function checkForm(rules: z.ZodType, body: unknown): void {
  const { error } = rules.safeParse(body);
  if (error) throw invalidForm(error.issues);
}

function refusal(errors: readonly FormError[]): Refusal {
  const tree: Record<string, unknown> = {};
  for (const { path, code, message } of errors) {
    const leaf = path.reduce<Record<string, unknown>>(
      (branch, key) => (branch[String(key)] ??= {}) as Record<string, unknown>,
      tree,
    );
    leaf["_errors"] = [...((leaf["_errors"] as unknown[] | undefined) ?? []), { code, message }];
  }
  return new Refusal(400, RESTJSONErrorCodes.InvalidFormBodyOrContentType, "Invalid Form Body", {
    errors: tree,
  });
}

function formErrors(issue: Issue, above: Path): FormError[] {
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return likeliest(issue.errors).flatMap((one) => formErrors(one, path));
  }
  return [{ path, code: codeOf(issue), message: issue.message }];
}

/** Of a union's branches the one that was meant: its `type` fits, and it was understood furthest. */
function likeliest(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const misses = (branch: readonly Issue[]) =>
    branch.filter(({ path, code }) => path.length === 0 || (path[0] === "type" && code === "invalid_value"))
      .length;
  const [best = []] = branches.toSorted((a, b) => misses(a) - misses(b) || a.length - b.length);
  return best;
}

function codeOf(issue: Issue): string {
  if (issue.code === "custom") return String(issue.params?.["code"] ?? "CUSTOM_VALIDATION_ERROR");
  if (issue.code === "invalid_type")
    return issue.message.endsWith("undefined") ? "BASE_TYPE_REQUIRED" : "BASE_TYPE_INVALID";
  if (issue.code === "invalid_value") return "BASE_TYPE_CHOICES";
  if (issue.code === "too_big" || issue.code === "too_small") {
    if (issue.origin === "string" || issue.origin === "array") return "BASE_TYPE_BAD_LENGTH";
    return issue.code === "too_big" ? "NUMBER_TYPE_MAX" : "NUMBER_TYPE_MIN";
  }
  return "BASE_TYPE_INVALID";
}
