import { TIERS, type Account } from "../records/accounts.ts";
import { Refusal } from "../records/refusal.ts";

/**
 * Premium templates need a subscription (section 5, rule 7).
 * @throws Refusal 403 naming the template
 */
export function allowTemplate(
  template: { readonly name: string; readonly premium?: boolean } | undefined,
  account: Account,
): void {
  if (template?.premium && !TIERS[account.tier].subscribed)
    throw new Refusal(403, `The template ${template.name} is premium: an active subscription is required.`);
}
