import type { FieldSpec } from "../../../src/seam/fields.ts";
import { hasMessage, type Translate } from "../../../src/common/i18n.ts";

/** What is said for every field of a kind that has no words of its own. */
const USUAL = {
  image: "draft.ask.image",
  images: "draft.ask.images",
  mask: "draft.ask.mask",
  sounds: "draft.ask.sounds",
  text: "draft.ask.text",
  secret: "draft.ask.text",
  number: "draft.ask.number",
  choice: "draft.ask.choice",
  switch: "draft.ask.choice",
  catalogue: "draft.ask.catalogue",
} as const satisfies Record<FieldSpec["control"], string>;

/** How a field is asked for: in its own words, where the language has such. */
export function askFor(say: Translate, { label, control, maxItems = 1 }: FieldSpec): string {
  const own = `draft.ask.${label.replace("field.", "")}`;
  return say(hasMessage(own) ? own : USUAL[control], { field: say(label), max: maxItems });
}
