import type { JobLine } from "../../seam/access/console.ts";
import type { Job } from "../jobs/job.ts";
import { recordOf } from "../jobs/job-record.ts";

/** A job in a list: nothing of what its person wrote or gave. */
export function lineOf(job: Job): JobLine {
  const { id, user, operation, surface, state, createdAt } = job;
  // What was last heard of a job that has ended says nothing any more.
  const progress = state === "running" ? job.progress : null;
  return { id, user, operation, surface, phase: recordOf(job).phase, progress, createdAt };
}
