import { timestamp, tokens } from "./formats.ts";
import type { Job } from "./records.ts";

/** Fields that the records and the list share. */
export function summary(job: Job) {
  return {
    type: job.type,
    status: job.status,
    created_at: timestamp(job.created_at),
    started_at: timestamp(job.started_at),
    completed_at: timestamp(job.completed_at),
    token_cost: tokens(job.cost),
  };
}

/** The common fields of a record (section 2.4). */
export function commonFields(job: Job) {
  return { job_id: job.id, ...summary(job), progress: job.progress, error_message: errorMessage(job) };
}

/** Why a job failed; a failure that is only planned is not told. */
export function errorMessage(job: Job): string | null {
  return job.status === "FAILED" ? job.failure : null;
}
