import { decimal } from "../amounts.ts";

/** In which budgets begin anew, in UTC. */
export type Period = "day" | "month";

/**
 * Whose tokens are counted: those of a person, of everybody in a group, of a partner, of one of a partner's people, or all that the
 * operator's key pays.
 */
export type Whose = "person" | "chat" | "partner" | "user" | "key";

/** How far a budget has been spent. */
export interface BudgetState {
  readonly whose: Whose;
  readonly period: Period;
  /** Tokens that may be spent. */
  readonly max: number;
  /** Tokens that were spent, with what is held for jobs that are going on. */
  readonly spent: number;
  /** When it begins anew, in milliseconds since 1970. */
  readonly until: number;
}

/** What is left of a budget, in tokens. */
export function tokensLeft({ max, spent }: Pick<BudgetState, "max" | "spent">): number {
  return Math.max(0, decimal(max - spent));
}
