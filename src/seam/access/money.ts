import type { ErrorCode } from "../../common/errors.ts";
import type { UserId } from "../values.ts";
import type { BudgetState } from "./budgets.ts";

/** Of which days money is shown: this month, the last one, or thirty days with today; all in UTC. */
export const MONEY_PERIODS = ["month", "last_month", "thirty_days"] as const;

/** One of {@link MONEY_PERIODS}. */
export type MoneyPeriod = (typeof MONEY_PERIODS)[number];

/** What tokens are summed by. */
export const MONEY_DIMENSIONS = ["day", "operation", "platform", "partner", "payer"] as const;

/** One of {@link MONEY_DIMENSIONS}. */
export type MoneyDimension = (typeof MONEY_DIMENSIONS)[number];

/**
 * Whose key pays: that of a person or a partner (`own`), of a group, of whoever runs Reelay, or the sandbox's play money; "": an
 * earlier version did not write it down.
 */
export type MoneyPayer = "own" | "group" | "operator" | "sandbox" | "";

/** What jobs came to. Those that go on are not among them, but what they were charged by now is. */
export interface MoneySums {
  readonly jobs: number;
  readonly completed: number;
  readonly failed: number;
  /** Failed, and nobody knows what they cost. */
  readonly unsure: number;
  /** Charged. */
  readonly tokens: number;
  /** Charged for what failed. */
  readonly failedTokens: number;
}

/** The sums of what is alike; a name is "" where there is none to be told. */
export interface NamedSums extends MoneySums {
  readonly name: string;
}

/** The sums of what is alike in what it is summed by. */
export type MoneyRow = MoneySums & Readonly<Partial<Record<MoneyDimension, string>>>;

/** What this month may come to. */
export interface Forecast {
  /** Charged this month. */
  readonly soFar: number;
  /** By the end of the month; null: too few days have passed to say. */
  readonly tokens: number | null;
  /** Tokens a day, on average of so many whole days before today. */
  readonly perDay: number;
  readonly days: number;
  /** When the month ends, in milliseconds since 1970. */
  readonly until: number;
}

/** A budget, and how far it has been spent. */
export interface SpentBudget extends BudgetState {
  /** Who spends: a person, a group, a partner; null: everybody together, with the operator's key. */
  readonly by: UserId | null;
}

/** A job that came to nothing, and cost something. */
export interface CostlyJob {
  readonly id: string;
  readonly user: UserId;
  readonly operation: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly error: ErrorCode | null;
  /** Tokens; null: nobody knows. */
  readonly cost: number | null;
}

/** What tokens went to. */
export interface Money {
  /** The first and the last day, as YYYY-MM-DD (UTC). */
  readonly since: string;
  readonly until: string;
  readonly total: MoneySums;
  /** Each of them, the first one first; what is still to come is left out. */
  readonly days: readonly NamedSums[];
  /** The dearest first. */
  readonly operations: readonly NamedSums[];
  readonly platforms: readonly NamedSums[];
  /** By their ids; what is of no partner is left out. */
  readonly partners: readonly NamedSums[];
  readonly payers: readonly (NamedSums & { readonly name: MoneyPayer })[];
  /** Of the present month, whichever days are shown. */
  readonly forecast: Forecast;
  /** What may be spent now, whichever days are shown: those that are spent for the most part first. */
  readonly budgets: readonly SpentBudget[];
  /** From which share of a budget on it is near its end, from 0 to 1. */
  readonly nearAt: number;
  /** The latest first, and whether there are older ones. Those that were erased are not among them. */
  readonly costly: readonly CostlyJob[];
  readonly moreCostly: boolean;
}
