import { ReelayError } from "../../common/errors.ts";
import { IllegalTransition, type Job } from "../jobs/job.ts";
import type { Ledger } from "../jobs/ledger.ts";

/**
 * Takes a job out of the queue; nothing has been charged yet.
 * @throws ReelayError `job_started` when it is too late
 */
export async function cancelJob(ledger: Ledger, job: Job): Promise<void> {
  if (job.state !== "queued") throw new ReelayError("job_started");
  await ledger.apply(job, { type: "cancelled", at: Date.now() }).catch((error: unknown) => {
    // It left at this very moment.
    throw error instanceof IllegalTransition ? new ReelayError("job_started") : error;
  });
}
