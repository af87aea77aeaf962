/** What those who run Reelay may be: each has one role. */
export const OPERATOR_ROLES = ["owner", "operator", "moderator", "viewer"] as const;

/** One of {@link OPERATOR_ROLES}. */
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** What there is to be done in the console; each of its routes asks for one of them. */
export const OPERATOR_ACTS = [
  /** Looks: each is a page of its own. */
  "see-now",
  "see-job",
  "see-log",
  "see-money",
  "see-people",
  "see-partners",
  "see-rules",
  /** Looks at the words and pictures of somebody else, which the audit keeps. */
  "uncover",
  /** Retries, cancels or delivers a job again, or leaves a note with it. */
  "act-on-job",
  /** Withholds or restores what was reported. */
  "decide-report",
  /** Blocks people, and holds them to caps. */
  "manage-people",
  "manage-partners",
  "change-rule",
  /** Invites those who run Reelay, and says what they may. */
  "manage-operators",
] as const;

/** One of {@link OPERATOR_ACTS}. */
export type OperatorAct = (typeof OPERATOR_ACTS)[number];

/** Somebody who runs Reelay. */
export interface Operator {
  /** Who it is, in the audit. */
  readonly id: string;
  readonly role: OperatorRole;
}
