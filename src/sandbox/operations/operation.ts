import type { RateGroup } from "../../contract.ts";
import type { Account } from "../accounts.ts";
import type { Job, JobType, StoredRequest } from "../records.ts";
import type { RenderTask } from "../render/task.ts";

/** What an operation makes of a request that it takes. */
export interface Plan {
  /** Hundredths of a token. */
  readonly cost: number;
  readonly request: StoredRequest;
  /** Pictures that rendering needs, by file name. */
  readonly files: Readonly<Record<string, Buffer>>;
  /** What the submit response carries besides the common fields (section 2.3). */
  readonly answer: Readonly<Record<string, unknown>>;
}

/** One thing the service can make: all that differs from the others, in one file. */
export interface Operation {
  /** The records' `type` (section 2.4). */
  readonly type: JobType;
  /** Its POST paths below the base, the alias last (section 4). */
  readonly paths: readonly string[];
  readonly group: RateGroup;
  /** Whether the job list shows it to accounts other than boss (section 4.13). */
  readonly listed: boolean;
  /** DELETE paths below the base, each ending in `:id` (section 4.14). */
  readonly deletePaths: readonly string[];
  /** @throws Refusal for whatever in the request, or in the account's tier, forbids it */
  plan(body: unknown, account: Account): Promise<Plan>;
  /**
   * The record's fields beyond the common ones.
   * @param resultUrl where its result is, if it has one
   * @param result reads its result, for records that carry it as base64
   */
  record(job: Job, resultUrl: string, result: () => Promise<Buffer>): Promise<Record<string, unknown>>;
  /** What `GET /jobs/{id}/settings` answers (section 2.7); undefined where a type has none. */
  settings(job: Job): Record<string, unknown> | undefined;
  /** The work that makes its result from the files in the job's folder. */
  task(job: Job, dir: string): RenderTask;
}
