import type { Account, Accounts } from "../records/accounts.ts";
import type { Catalogues } from "../catalogues/catalogues.ts";
import type { Counters } from "./counters.ts";
import type { Faults } from "./faults.ts";
import type { Lags } from "../liberties/lags.ts";
import type { Liberties } from "../liberties/liberties.ts";
import type { Operations } from "../operations/index.ts";
import type { Jobs } from "../records/jobs.ts";
import type { Job } from "../records/records.ts";
import type { Rates } from "./rates.ts";
import type { Worker } from "./worker.ts";
import type { HttpBindings } from "@hono/node-server";

/** The parts that routes work with. */
export interface Service {
  readonly accounts: Accounts;
  readonly jobs: Jobs;
  readonly operations: Operations;
  readonly catalogues: Catalogues;
  readonly rates: Rates;
  readonly faults: Faults;
  readonly counters: Counters;
  readonly worker: Worker;
  /** Folder that holds one folder a job. */
  readonly files: string;
  /** What every repeatable chance starts from. */
  readonly seed: string;
  readonly timeScale: number;
  /** How what the contract leaves open is answered. */
  readonly liberties: Liberties;
  readonly lags: Lags;
  /** Origin of the other host that keeps results, where there is one. */
  readonly fileOrigin: () => string;
  /** Fires when the sandbox stops. */
  readonly stopping: AbortSignal;
  /** Least and most time that a job takes from its start, in seconds before scaling. */
  readonly jobSeconds: readonly [least: number, most: number];
  /** Share of accepted jobs that end as FAILED. */
  readonly failRate: number;
}

/** What hono carries along with a request. */
export interface Env {
  Bindings: HttpBindings;
  Variables: { account: Account; job: Job };
}
