import type { BudgetState } from "./budgets.ts";
import type { Caps } from "./partners.ts";
import type { Memory } from "../../common/memory.ts";
import type { OpenTransaction } from "../events.ts";
import type { JobRecord, JobStatus } from "./job-record.ts";
import type { CommandSpec } from "../fields.ts";
import type { Origin } from "../origin.ts";
import type { UsageQuery, UsageRow } from "./usage.ts";
import type { Receipt, UserId, Values } from "../values.ts";
import type { UserAccess } from "./user-access.ts";
import type { Problem } from "../views.ts";

/** Which of somebody's jobs are listed; what is left out does not matter. */
export interface JobQuery {
  /** Only those older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
  readonly status?: JobStatus | undefined;
  /** One of them, where there are several. */
  readonly operation?: string | readonly string[] | undefined;
  /** The service's `in_app_username`. */
  readonly username?: string | undefined;
  /** Asked for at this time or later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Asked for before this time. */
  readonly until?: number | undefined;
}

/** What is told of a job in the transaction that writes it. */
interface ToldAlongside {
  /** Finds again what will be posted of it. */
  readonly receipt: Receipt;
  /** Whether it was told with that how the job stands: it is told again when something comes of it. */
  readonly isShown: boolean;
}

/** For programs, who get answers where people get views. What is not somebody's own does not exist for them. */
export interface JobAccess {
  /**
   * What an operation takes.
   * @throws ReelayError `unknown_operation`; `operation_off` where the operator switched it off for this platform
   */
  operation(name: string): CommandSpec;
  /**
   * Everything that is wrong with an operation's values, field by field; nothing where they will do.
   * @throws ReelayError `unknown_operation`
   */
  check(operation: string, values: Values): readonly Problem[];
  /**
   * Asks for a job: it will be made and delivered, or its failure told. The same request makes the same job.
   * @param alongside done in the transaction that writes the job, with the platform's memory as it is there; what it throws
   * keeps the job from being written
   * @param warned told of each budget that the job brought so far that it is to be warned of, once the job is written
   * @throws ReelayError for the first value that is wrong, and what rules, caps and the balance say;
   * `statement_missing` with `statement`, and `terms` where the operator has terms of their own
   */
  submit(
    origin: Origin,
    operation: string,
    values: Values,
    alongside?: (job: JobRecord, memory: Memory, within: OpenTransaction) => Promise<ToldAlongside>,
    warned?: (budget: BudgetState) => Promise<void>,
  ): Promise<JobRecord>;
  /** How far a partner's budgets have been spent, and those of one of their people where somebody is named. */
  budgets(user: UserId, username?: string): Promise<readonly BudgetState[]>;
  /** What is left of the caps of all jobs of a partner; of what has no bound, nothing is said. */
  left(user: UserId): Promise<Caps>;
  /** @throws ReelayError `not_found` */
  find(user: UserId, id: string): Promise<JobRecord>;
  /** Newest first. */
  list(user: UserId, query: JobQuery): Promise<readonly JobRecord[]>;
  /**
   * Takes a job out of the queue; one that has ended stays as it is.
   * @throws ReelayError `not_found`; `job_started` while the service is at work on it, or begins at this very moment
   */
  cancel(user: UserId, id: string): Promise<JobRecord>;
  /**
   * Takes a job out of the queue, or deletes what has ended and was told, here and at the service. What failed a moment ago is waited
   * for, until that was told.
   * @param where `here`: what was made stays at the service
   * @returns `kept` where the service offers no way to delete it, so that it is gone here only
   * @throws ReelayError `not_found`; `job_busy` while the service is at work on it or its end is being told, `job_started` where it begins at this
   * very moment; `deletion_needs_key` where it can go here alone; what else the service says to the deletion
   */
  remove(user: UserId, id: string, where?: "everywhere" | "here"): Promise<"cancelled" | "deleted" | "kept">;
  /** Sums of somebody's jobs, also of those that were deleted. */
  usage(user: UserId, query: UsageQuery): Promise<readonly UsageRow[]>;
  /** What is kept about a partner's people. */
  readonly users: UserAccess;
}
