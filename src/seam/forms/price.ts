import type { Translate } from "../../common/i18n.ts";
import type { Quote } from "../fields.ts";

/** A price as people read it; undefined where it is not known. */
export function priceIn(say: Translate, { tokens, basis }: Quote): string | undefined {
  if (tokens === null) return undefined;
  return say(basis === "exact" ? "page.tokens" : "page.about_tokens", { count: tokens, tokens });
}
