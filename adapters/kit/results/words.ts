import type { Intake } from "../../../src/seam/surface/surface.ts";
import { wordsField } from "../../../src/seam/forms/filling.ts";
import { shownValue } from "../../../src/seam/forms/shown-value.ts";
import type { JobSummary } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";

/** What was asked for in words, as far as a card shows it, in one line; empty where it was not. */
export function wordsOf(
  { commands }: Pick<Intake, "commands">,
  say: Translate,
  { operation, values }: JobSummary,
): string {
  const spec = commands.find(({ name }) => name === operation);
  const field = spec && wordsField(spec.fields);
  const words = field && values[field.name] !== undefined && shownValue(say, field, values, {});
  return (words || "").replaceAll(/\s+/g, " ");
}
