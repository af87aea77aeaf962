import type { BudgetState } from "../../../src/seam/access/budgets.ts";
import type { MoneySums } from "../../../src/seam/access/money.ts";
import type { OperatorEntry, OperatorRole } from "../../../src/seam/access/operators.ts";
import type { PartnerEntry } from "../../../src/seam/access/partners.ts";
import type { PersonCard, ReportedResult } from "../../../src/seam/access/people-desk.ts";
import type { Block } from "../../../src/seam/access/safety.ts";
import type { WebhookDelivery, WebhookEndpoint } from "../../../src/seam/access/webhooks.ts";

/** An address of a partner's as it may be shown: what stands behind its host may be a secret. */
export interface ShownEndpoint extends Pick<
  WebhookEndpoint,
  "id" | "events" | "disabledAt" | "disabledBecause"
> {
  readonly host: string;
}

/** A message to a partner as it may be shown. */
export interface ShownDelivery extends Pick<
  WebhookDelivery,
  "id" | "type" | "job" | "state" | "createdAt" | "nextAt"
> {
  readonly host: string;
  readonly tries: number;
  /** What came of the last try: a status, or what went wrong in a word; null before it. */
  readonly last: string | null;
}

/** A partner on the console. */
export interface PartnerCard extends PartnerEntry {
  /** What is sent back with a change, so that nothing is changed that somebody else has changed meanwhile. */
  readonly version: string;
  /** How far theirs have been spent; of their people's there are too many. */
  readonly budgets: readonly BudgetState[];
  /** In the last 30 days, by jobs that have ended. */
  readonly spent: Pick<MoneySums, "jobs" | "completed" | "tokens">;
  readonly endpoints: readonly ShownEndpoint[];
  /** The latest first. */
  readonly deliveries: readonly ShownDelivery[];
}

/** A token that was just made: never shown again. */
export interface FreshTokenShown {
  readonly token: string;
}

/** What the page of people shows at first. */
export interface PeopleShown {
  readonly reports: readonly ReportedResult[];
  /** Where the next page of reports begins; null: this is the last. */
  readonly before: string | null;
  readonly blocks: readonly Block[];
}

/** Somebody on the console. */
export interface ShownPerson extends Omit<PersonCard, "tokens" | "budgets"> {
  /** This and the next: null for whoever may not read money. */
  readonly tokens: number | null;
  readonly budgets: PersonCard["budgets"] | null;
}

/** Who runs Reelay, on the console. */
export interface OperatorsShown {
  readonly operators: readonly OperatorEntry[];
  /** Who asks. */
  readonly you: { readonly id: string; readonly role: OperatorRole };
}

/** A link that lets somebody in: never shown again. */
export interface OperatorLinkShown {
  readonly operator: OperatorEntry;
  readonly address: string;
}
