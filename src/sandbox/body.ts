import type { z } from "zod";
import { Refusal } from "./refusal.ts";

/** The largest body that is read, in bytes; the contract shows none. */
export const MAX_BODY_BYTES = 80 * 1024 * 1024;

/**
 * Reads a request's body.
 * @throws Refusal 400 when it is not JSON
 */
export async function readJson(request: { json(): Promise<unknown> }): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw new Refusal(400, "The body is not valid JSON.");
  }
}

/**
 * Checks a request's fields.
 * @throws Refusal 400 naming the first field that is wrong, and its bound
 */
export function parseFields<T>(fields: z.ZodType<T>, body: unknown): T {
  const parsed = fields.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === "unrecognized_keys") throw new Refusal(400, `${issue.keys[0]}: unknown field`);
  if (!issue || issue.path.length === 0) throw new Refusal(400, "The body must be a JSON object");
  throw new Refusal(400, `${issue.path.join(".")}: ${issue.message}`);
}
