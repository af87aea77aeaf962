import { createHash } from "node:crypto";
import type { Account } from "../accounts/accounts.ts";
import type { BudgetState, Period, Whose } from "../../seam/access/budgets.ts";
import { MOST_TOKENS } from "../../seam/forms/wanted.ts";
import { ReelayError } from "../../common/errors.ts";

/** Up to how many tokens may be spent in a day or a month (UTC). What is spent is counted without a bound, too: one may be set later. */
export interface TokenBudget {
  readonly whose: Whose;
  /** Who spends: a person, a group, a partner, one of a partner's people. */
  readonly by: string;
  /** Whose tokens: the fingerprint of a group's key, or {@link OPERATORS}; left out: anybody's. */
  readonly payer?: string;
  readonly period: Period;
  /** Tokens; undefined: no bound is set. */
  readonly max: number | undefined;
}

/** A budget whose bound is set. */
export type SetBudget = TokenBudget & { readonly max: number };

/** Whether a budget's bound is set. */
export const isSet = (budget: TokenBudget): budget is SetBudget => budget.max !== undefined;

/** The operator's tokens, whichever key of theirs opens them: another one gives nobody more. */
export const OPERATORS = "operator";

/** Whose tokens an account's are: the fingerprint of a key, or {@link OPERATORS}. */
export const payerOf = ({ source, keyId }: Pick<Account, "source" | "keyId">): string =>
  source === "operator" ? OPERATORS : keyId;

/** Amounts have at most so many parts of a token: sums of whole numbers are exact, those of binary fractions are not. */
const PARTS = 1_000_000;

/** Tokens in millionths; of an odd amount what of it can be counted. */
export const inMillionths = (tokens: number): number =>
  Math.round(Math.min(Math.max(tokens, 0), MOST_TOKENS) * PARTS);

/** Millionths as tokens. */
export const inTokens = (millionths: number): number => millionths / PARTS;

/** When a day or a month of UTC ends. @param now a time in it; both in milliseconds since 1970 */
export function endOf(period: Period, now: number): number {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return period === "month" ? Date.UTC(year, month + 1) : Date.UTC(year, month, day + 1);
}

/** When a day or a month of UTC began. @param now a time in it; both in milliseconds since 1970 */
export function startOf(period: Period, now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), period === "month" ? 1 : date.getUTCDate());
}

/**
 * Where it is counted what was spent of a budget. The period is in it, so that another day begins with nothing; and it is a digest,
 * because until its period ends it outlasts a person's wish to be forgotten.
 */
export function entryOf({ whose, by, payer, period }: TokenBudget, now: number): string {
  const entry = JSON.stringify([period, endOf(period, now), payer ?? null, whose, by]);
  return createHash("sha256").update(entry).digest("base64url");
}

/** Whether a budget covers a price, in tokens; one that is not known is covered by anything that is left. */
export const covers = ({ spent, max }: Pick<BudgetState, "spent" | "max">, price: number | null): boolean =>
  price === null ? spent < max : inMillionths(spent + price) <= inMillionths(max);

/**
 * A budget that does not cover something, as an error; `shared_budget_spent` says nothing of the operator's numbers.
 * @param isReserved whether it would, but for what is being made whose price is not known yet: most of that is free again soon
 */
export function spentError(
  { whose, period: during, max: budget, spent, until }: BudgetState,
  isShown: boolean,
  isReserved = false,
): ReelayError {
  if (isReserved) return new ReelayError("budget_reserved", { whose, during });
  if (whose === "key" && !isShown) return new ReelayError("shared_budget_spent", { during, until });
  return new ReelayError("budget_spent", { whose, during, budget, spent, until });
}
