import type { RateGroup } from "../../common/contract.ts";
import type { Account } from "../records/accounts.ts";
import type { Multipart } from "../records/body.ts";
import type { Catalogues } from "../catalogues/catalogues.ts";
import type { Liberties } from "../liberties/liberties.ts";
import type { Job, JobType, StoredRequest } from "../records/records.ts";
import type { RenderTask, ResultFormat } from "../render/task.ts";

/** Who asks, and where. */
interface Caller {
  readonly account: Account;
  /** Whether it is the full-catalogue host that was asked (section 1, rule 5). */
  readonly full: boolean;
  /** What can be chosen from. */
  readonly catalogues: Catalogues;
  readonly liberties: Liberties;
}

/** What an operation makes of a request that it takes. */
export interface Plan {
  /** What is charged now, in hundredths of a token. */
  readonly cost: number;
  /** What it will cost once completed, where that differs (section 4.7, rule 4). */
  readonly finalCost?: number;
  /** Everything but the files; stored, and handed to `record` and `task` as `job.request`. */
  readonly request: StoredRequest;
  /** Pictures and sounds that rendering needs: stored in the job's folder under these names. */
  readonly files: Readonly<Record<string, Buffer>>;
}

/** A submission that was accepted: what its answer can tell. Amounts are in tokens. */
export interface Accepted {
  readonly id: string;
  readonly cost: number;
  /** What is left after the charge. */
  readonly balance: number;
  /** The job's page for browsers, which needs a login. */
  readonly statusUrl: string;
  readonly request: StoredRequest;
  readonly liberties: Liberties;
}

/** A job's result, as its records show it. */
export interface Result {
  /** Where it is downloaded: its own download path where it has one (needs the key), else an open address. */
  readonly url: string;
  /** Reads it; rejects when the file is gone, or not ready yet. */
  read(): Promise<Buffer>;
  readonly liberties: Liberties;
}

/** Status and download paths beside the unified record (section 2.4); below the base, with `:id` in them. */
export interface OwnStatus {
  /** `GET` paths of the record, the alias last. */
  readonly paths: readonly string[];
  /** `GET` paths of the result, the alias last. Where there are any, the result has no open address. */
  readonly downloadPaths: readonly string[];
  /** The whole record. */
  record(job: Job, result: Result): Promise<Record<string, unknown>>;
}

/** One thing the service can make: all that differs from the others, in one file. */
export interface Operation {
  /** A name of its own: two operations may make one type. */
  readonly name: string;
  /** The records' `type` (section 2.4). */
  readonly type: JobType;
  /** Its POST paths below the base, the alias last (section 4). */
  readonly paths: readonly string[];
  readonly group: RateGroup;
  /** DELETE paths below the base, each ending in `:id` (section 4.14); none where the contract has none. */
  readonly deletePaths: readonly string[];
  /** How multipart bodies are read into the JSON body's fields; without it, only JSON is taken. */
  readonly multipart?: Multipart;
  /**
   * Checks in the order of the README's table: first the fields and pictures (400), then the subscription (403).
   * Slots and tokens are checked afterwards, for every operation alike.
   * @throws Refusal for whatever in the request, or in the account's tier, forbids it
   */
  plan(body: unknown, caller: Caller): Promise<Plan>;
  /** The whole answer to an accepted submission (section 2.3); see {@link submitted}. */
  answer(accepted: Accepted): Record<string, unknown>;
  /** The unified record's fields beyond the common ones; not asked for types that it does not know. */
  record(job: Job, result: Result): Promise<Record<string, unknown>>;
  /** Paths of its own, where it has any. */
  readonly own?: OwnStatus;
  /** What `GET /jobs/{id}/settings` answers (section 2.7), where it has any. */
  settings?(job: Job, liberties: Liberties): Record<string, unknown>;
  /** What its result is. */
  format(request: StoredRequest): ResultFormat;
  /** The work that makes its result from the files in the job's folder. */
  task(job: Job, dir: string, catalogues: Catalogues): RenderTask;
}

/** The fields that most answers to a submission have (section 2.3). */
export function submitted({ id, cost, balance }: Accepted) {
  return { job_id: id, status: "submitted", token_cost: cost, remaining_tokens: balance };
}
