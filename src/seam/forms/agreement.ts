import type { CommandSpec } from "../fields.ts";
import { mediaIn, type StatementName, type Values } from "../values.ts";

/**
 * What must have been stated for a request, the most general first: for a surface that asks before it sends. What else the
 * rules want, such as an age for what is mature, the core asks by itself.
 */
export function statementsFor(
  { fields, agreement = "consent" }: Pick<CommandSpec, "fields" | "agreement">,
  values: Values,
): readonly StatementName[] {
  const photos = fields.some(({ name, sounds }) => !sounds && mediaIn(values[name]).length > 0);
  return photos ? ["terms", agreement] : ["terms"];
}
