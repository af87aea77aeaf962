import type { MessageKey } from "../../common/i18n.ts";
import type { AuditEntry } from "./audit.ts";
import type { JobRecord } from "./job-record.ts";
import type { UsageRow } from "./usage.ts";
import type { StatementName, UserId } from "../values.ts";

/** A statement, and how somebody stands to it. */
export interface Standing {
  readonly name: StatementName;
  /** What is asked, in its present wording. */
  readonly text: MessageKey;
  /** Of that wording. */
  readonly version: string;
  /** The operator's own terms, where they belong to it. */
  readonly terms: string | undefined;
  /** Whether it is said with each job that takes it: what was said before does not count. */
  readonly everyTime: boolean;
  /** What they stated, and when in milliseconds since 1970; null: nothing, or it was taken back. */
  readonly stated: { readonly version: string; readonly at: number } | null;
}

/** Everything that is kept about somebody. What there may be much of is read a page at a time. */
interface KeptOfUser {
  readonly statements: readonly Standing[];
  /** By day and operation; also of jobs that were deleted. */
  readonly usage: readonly UsageRow[];
  /** Newest first. */
  readonly jobs: AsyncIterable<JobRecord>;
  /** What was decided about them, the latest first. */
  readonly audit: AsyncIterable<AuditEntry>;
}

/** What is kept about a partner's people, each by the name that the partner has for them (`in_app_username`). */
export interface UserAccess {
  /** Every statement. */
  statements(partner: UserId, username: string): Promise<readonly Standing[]>;
  /** Takes back what somebody stated. @param statement left out: all of it */
  withdraw(partner: UserId, username: string, statement?: StatementName): Promise<void>;
  /** Who keeps them out, apart from all others of that partner: whoever runs Reelay, the partner themselves. */
  blockedBy(partner: UserId, username: string): Promise<readonly ("host" | "partner")[]>;
  /** Keeps them out, as the partner wishes: what waits in their queue is not sent. */
  block(partner: UserId, username: string): Promise<void>;
  /** Takes back what {@link block} did; what whoever runs Reelay decided stays. */
  unblock(partner: UserId, username: string): Promise<void>;
  /** Everything; that it was given away is written down. */
  kept(partner: UserId, username: string): Promise<KeptOfUser>;
  /**
   * Erases everything that carries the name: jobs with their files and messages, statements, what the audit has of them.
   * What was made at the service stays there. Stopped half-way, it can be done again.
   * @returns how many jobs that were
   * @throws ReelayError `jobs_open` as long as something of theirs is going on
   */
  forget(partner: UserId, username: string): Promise<number>;
}
