import type { FieldSpec } from "../../../../../src/seam/fields.ts";
import { say as sayMessage } from "../../../../../src/seam/text/say.ts";
import { hasMessage, type Locale, type Translate } from "../../../../../src/common/i18n.ts";
import type { PageProblem } from "../../../wire.ts";

/** A failure as a sentence: one of the core's, or of the web's own. */
export function problemText(say: Translate, { code, params }: PageProblem): string {
  // A key among words, by the one who has none yet.
  if (params["connects"]) return say("page.refused.key_connects");
  const known = [`error.${code}`, `page.refused.${code}`].find(hasMessage);
  return sayMessage(say, { key: known ?? "error.internal", params });
}

/** A choice as people read it. */
export function choiceText(say: Translate, field: FieldSpec, value: string | number): string {
  const label = field.choices?.find((choice) => choice.value === value)?.label;
  return label ? say(label) : String(value);
}

/** How large a file is: small ones in kB. */
export function sizeText(locale: Locale, bytes: number): string {
  const unit = bytes < 1e6 ? "kilobyte" : "megabyte";
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 });
  return format.format(bytes < 1e6 ? Math.ceil(bytes / 1e3) : bytes / 1e6);
}
