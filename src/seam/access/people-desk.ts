import type { ChatId, Platform, StatementName, UserId } from "../values.ts";
import type { Message } from "../views.ts";
import type { BudgetState } from "./budgets.ts";
import type { Block } from "./safety.ts";

/** What becomes of a reported result; see `ReportState`. */
export const REPORT_STATES = ["open", "withheld", "settled"] as const;

/** What can be decided about one; see `MEASURES`. */
export const REPORT_MEASURES = ["withhold", "restore", "settle"] as const;

/** One of {@link REPORT_MEASURES}. */
export type ReportMeasure = (typeof REPORT_MEASURES)[number];

/** A result that people reported, or that was taken down, as those who run Reelay see it: without its words and picture. */
export interface ReportedResult {
  readonly job: string;
  readonly operation: string;
  /** Who asked for it, where, and when, in milliseconds since 1970. */
  readonly user: UserId;
  readonly chat: ChatId | null;
  readonly createdAt: number;
  readonly state: (typeof REPORT_STATES)[number];
  /** When that was decided, and by whom; null: by reports, or an examination. */
  readonly at: number;
  readonly by: string | null;
  /** How many people reported it. */
  readonly reports: number;
  /** What can be decided about it now. */
  readonly measures: readonly ReportMeasure[];
  /** Whether whoever asked for it is kept out. */
  readonly isBlocked: boolean;
}

/** What is so of a reported result, in a sentence. */
export function reportState({
  state,
  reports,
  by,
}: Pick<ReportedResult, "state" | "reports" | "by">): Message {
  if (state === "settled") return { key: "report.state.settled" };
  if (state === "withheld" && by !== null) return { key: "report.state.taken_down" };
  if (state === "withheld" && reports === 0) return { key: "report.state.flagged" };
  return { key: `report.state.${state}`, params: { count: reports } };
}

/** What is known of somebody who uses Reelay, without what they write and make. */
export interface PersonCard {
  readonly user: UserId;
  /** Who keeps them out of what, the latest first. */
  readonly blocks: readonly Block[];
  /** Whether they are kept out altogether: also where the settings say so. */
  readonly isBlocked: boolean;
  /** What they stated; `stands`: whether it was the present wording. */
  readonly statements: readonly {
    readonly name: StatementName;
    /** Milliseconds since 1970. */
    readonly at: number;
    readonly surface: Platform;
    readonly stands: boolean;
  }[];
  /** Jobs that they began today (UTC) with a key that is not theirs, and how many they may; null: as many as they like. */
  readonly today: number;
  readonly dailyCap: number | null;
  /** Jobs of theirs that go on, and how many may. */
  readonly going: number;
  readonly atOnce: number | null;
  /** How far the budgets have been spent that they are held to with somebody else's key; a partner's, whoever pays. */
  readonly budgets: readonly BudgetState[];
  /** All that they had made, what came out, and what that cost, in tokens. */
  readonly jobs: number;
  readonly successes: number;
  readonly tokens: number;
}

/** What those who run Reelay look at and decide about people and what people made. */
export interface PeopleDesk {
  /** @param before only those of older jobs @returns those that wait for a decision or are withheld, the latest first */
  reports(limit: number, before?: string): Promise<readonly ReportedResult[]>;
  /**
   * Decides about a result.
   * @param seen what was so of it when they decided
   * @throws ReelayError `changed_meanwhile` where it is something else by now; `stale_button` where there is no such result
   */
  decide(
    job: string,
    measure: ReportMeasure,
    seen: ReportedResult["state"],
    by: UserId,
  ): Promise<ReportedResult>;
  person(user: UserId): Promise<PersonCard>;
}
