import { type BudgetState, tokensLeft } from "../../seam/access/budgets.ts";
import type { Account } from "../accounts/accounts.ts";
import { wordsField } from "../../seam/forms/filling.ts";
import { shownWords } from "../../seam/forms/shown-value.ts";
import type { Platform } from "../../seam/values.ts";
import type { MakingParts } from "./command.ts";
import type { Fact } from "../../seam/views.ts";
import type { MessageKey } from "../../common/i18n.ts";
import type { Job } from "../jobs/job.ts";
import { fieldsOf } from "../operations/fields.ts";
import { operationOf } from "../operations/registry.ts";

/** How many there are of something. */
export const numberFact = (label: MessageKey, count: number): Fact => ({
  label,
  value: { key: "fact.number", params: { count } },
});

/** What is left of budgets. Partners read theirs elsewhere. */
export function budgetFacts(budgets: readonly BudgetState[]): Fact[] {
  return budgets.flatMap(({ whose, period, max: budget, spent }): Fact[] => {
    if (whose === "partner" || whose === "user") return [];
    const left = tokensLeft({ max: budget, spent });
    return [{ label: `budget.${whose}.${period}`, value: { key: "budget.left", params: { left, budget } } }];
  });
}

/** That messages of what was deleted are still there, if any are. */
export const stillShown = (count: number): Fact[] => (count > 0 ? [numberFact("delete.shown", count)] : []);

/** What a job was to make, of which words; where it has none, when it was asked for. */
export function jobFact({
  operation,
  values,
  createdAt,
}: Pick<Job, "operation" | "values" | "createdAt">): Fact {
  const { label, schema } = operationOf(operation);
  const words = values[wordsField(fieldsOf(schema))?.name ?? ""];
  return typeof words === "string" && words !== ""
    ? { label, value: { key: "value.quoted", params: { words: shownWords(words) } }, own: true }
    : { label, value: { key: "fact.date", params: { at: createdAt } } };
}

/** That what was deleted stays in a chat where nobody but its person can take messages away. */
export function staysInChat({ surfaces }: Pick<MakingParts, "surfaces">, platform: Platform): Fact[] {
  const isKept = surfaces.names.includes(platform) && surfaces.of(platform).limits.edit === "no";
  return isKept ? [{ label: "delete.in_chat", value: { key: "delete.in_chat.why" } }] : [];
}

/** A text that is said in every language. */
export const textFact = (label: MessageKey, text: string): Fact => ({
  label,
  value: { key: "fact.text", params: { text } },
});

/**
 * Name, subscription and balance: what a person recognises an account by, and nothing of the key. Nothing of an
 * account that is somebody else's business.
 */
export async function accountFacts(account: Account): Promise<Fact[]> {
  if (!account.tellsBalance) return [];
  const { username, tokens, subscriptionActive, subscriptionEnd } = await account.api().info();
  if (tokens !== null) account.noteBalance(tokens);
  const until = subscriptionActive && subscriptionEnd !== null;
  return [
    ...(username
      ? [{ label: "fact.name", value: { key: "fact.text", params: { text: username } } } as const]
      : []),
    ...(tokens === null
      ? []
      : [{ label: "fact.balance", value: { key: "fact.tokens", params: { tokens } } } as const]),
    {
      label: "fact.subscription",
      value: until
        ? { key: "fact.subscription_until", params: { at: subscriptionEnd } }
        : { key: subscriptionActive ? "fact.subscription_active" : "fact.subscription_none" },
    },
  ];
}
