import type { Translate } from "../../common/i18n.ts";
import type { Proposal, Quote } from "../fields.ts";
import { decimal } from "../amounts.ts";
import type { Problem } from "../views.ts";

/** A price as people read it; undefined where it is not known. */
export function priceIn(say: Translate, { tokens, basis }: Quote): string | undefined {
  if (tokens === null) return undefined;
  return say(basis === "exact" ? "page.tokens" : "page.about_tokens", { count: tokens, tokens });
}

/**
 * Why what is left cannot be enough, as far as that is known before the service is asked: for the price, or, where that is
 * not known, for the least that the like of it cost here, or for anything.
 */
export function shortageOf({
  tokens,
  balance,
  range,
}: Omit<Proposal, "asks" | "basis">): Problem | undefined {
  if (balance === null) return undefined;
  if (tokens !== null)
    return balance < tokens
      ? { code: "tokens_missing", params: { needed: tokens, balance, missing: decimal(tokens - balance) } }
      : undefined;
  return balance === 0 || balance < (range?.least ?? 0)
    ? { code: "insufficient_tokens", params: {} }
    : undefined;
}
