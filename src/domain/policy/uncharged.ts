import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { costOf } from "../jobs/job-view.ts";
import type { Job } from "../jobs/job.ts";
import type { Ledger } from "../jobs/ledger.ts";
import type { UsageCounter } from "./usage-counter.ts";

/** What jobs that cost nothing are given back with. */
interface UnchargedParts {
  readonly ledger: Pick<Ledger, "keep" | "onChange">;
  readonly usage: UsageCounter;
  readonly log: Logger;
}

/** Has jobs that came to nothing and cost nothing count under no cap. After a crash in between one counts all the same. */
export class UnchargedJobs {
  readonly #parts: UnchargedParts;
  #unsubscribe = () => {};
  #givenBack = Promise.resolve();

  constructor(parts: UnchargedParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { ledger, usage, log } = this.#parts;
    this.#unsubscribe = ledger.onChange(({ job, before }) => {
      if (before?.state === job.state || !costNothing(job)) return;
      this.#givenBack = this.#givenBack
        .then(() => ledger.keep(() => usage.giveBack(job)))
        .catch((err: unknown) => log.warn({ err, job: job.id }, "What came to nothing still counts"));
    });
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#givenBack;
  }
}

const costNothing = (job: Job) => (job.state === "cancelled" || job.state === "failed") && costOf(job) === 0;
