import type { ServiceJob } from "../../../infrastructure/api/media-api.ts";
import type { Experience } from "../experience/experience.ts";
import type { Job } from "../job.ts";
import type { Ledger } from "../ledger.ts";

/** Where the files of a job are, as its record says; nothing where it does not. */
export function resultOf({ resultUrls, videoUrl, imageUrl }: ServiceJob): readonly string[] {
  if (resultUrls.length > 0) return resultUrls;
  const url = videoUrl ?? imageUrl;
  return url === null ? [] : [url];
}

/** A job as it is read. */
interface Read {
  readonly job: Job;
  /** See `Operation.size`. */
  readonly size: string;
  /** How long after its acceptance it certainly was still running, and how long after it is read now, in milliseconds. */
  readonly ran: { readonly least: number; readonly most: number };
  /** Watched since it was accepted: when it ended is known as well as it was read. */
  readonly whole: boolean;
}

/** What records are taken with. */
interface TakingParts {
  readonly ledger: Ledger;
  readonly experience: Experience;
  /** The least time between two reads of one job, in milliseconds. */
  readonly pollMs: number;
}

/**
 * Writes what a record says in the ledger, and learns from it.
 * @param form whether the record is one of a list, which leaves out why a job failed and may leave out where its result is
 * (section 2.5)
 * @param at when it was read, in milliseconds since 1970
 * @returns false when it tells of an end but not all of it
 * @throws IllegalTransition where another read was faster, or another process took the job over
 */
export async function takeRecord(
  parts: TakingParts,
  read: Read,
  record: ServiceJob,
  form: "listed" | "single",
  at: number,
): Promise<boolean> {
  const { ledger, experience, pollMs } = parts;
  const { state, cost, progress } = record;
  const job = read.job.awaits === null ? read.job : await ledger.apply(read.job, { type: "resumed" });
  if (state === "running") {
    if (progress !== null && progress > (job.progress ?? 0))
      await ledger.apply(job, { type: "progressed", progress });
    return true;
  }
  if (state === "completed") {
    const result = resultOf(record);
    if (result.length === 0 && form === "listed") return false;
    // Its file may come later than its end (section 2.4). The flag may be about its base64 alone, so that it delays the
    // first try only.
    const isLate = result.length === 0 || !record.fileReady;
    const lateUntil = isLate ? at + pollMs : undefined;
    await ledger.settle(job, { type: "completed", at, result, cost, lateUntil });
    await learn(experience, read, record);
    return true;
  }
  if (record.error === null && form === "listed") return false;
  const error = { code: "job_failed", params: { reason: record.error ?? "" } } as const;
  await ledger.settle(job, { type: "failed", at, error, cost });
  return true;
}

async function learn(
  experience: Experience,
  { job, size, ran, whole }: Read,
  { createdAt, completedAt, cost }: ServiceJob,
): Promise<void> {
  // The service's clock may be set meanwhile: no job took longer than from its acceptance to here.
  if (createdAt !== null && completedAt !== null)
    await experience.took(job.operation, size, Math.max(0, Math.min(completedAt - createdAt, ran.most)));
  else if (whole && job.acceptedAt !== null)
    await experience.tookBetween(job.operation, size, ran.least, ran.most);
  if (cost !== null) await experience.charged(job.operation, size, cost);
}
