import type { Proposal } from "../../../src/seam/fields.ts";
import type { Translate } from "../../../src/common/i18n.ts";

/** What is said instead of a price that nobody knows: so much, and what the like of it cost here. */
export function unknownPrice(say: Translate, { range }: Pick<Proposal, "range">): string {
  if (!range) return say("draft.cost_unknown");
  const { least, most } = range;
  const params = { least, count: most, tokens: most };
  const cost = say(least === most ? "page.tokens" : "draft.range", params);
  return `${say("draft.cost_unknown")} ${say("draft.cost_here", { range: cost })}`;
}
