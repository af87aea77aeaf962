import type { FieldSpec } from "../../../src/chat/fields.ts";
import { hasMessage, type Translate } from "../../../src/i18n.ts";

/** What is said for every field of a kind that has no words of its own. */
const USUAL = {
  image: "telegram.draft.ask.image",
  images: "telegram.draft.ask.images",
  mask: "telegram.draft.ask.mask",
  sounds: "telegram.draft.ask.sounds",
  text: "telegram.draft.ask.text",
  secret: "telegram.draft.ask.text",
  number: "telegram.draft.ask.number",
  choice: "telegram.draft.ask.choice",
  switch: "telegram.draft.ask.choice",
  catalogue: "telegram.draft.ask.catalogue",
} as const satisfies Record<FieldSpec["control"], string>;

/** How a field is asked for: in its own words, where the language has such. */
export function askFor(say: Translate, { label, control, maxItems = 1 }: FieldSpec): string {
  const own = `telegram.draft.ask.${label.replace("field.", "")}`;
  return say(hasMessage(own) ? own : USUAL[control], { field: say(label), max: maxItems });
}
