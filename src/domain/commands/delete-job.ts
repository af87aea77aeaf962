import { NotFound } from "../../infrastructure/api/media-api.ts";
import type { NoticeView } from "../../seam/views.ts";
import { summaryOf } from "../jobs/job-view.ts";
import type { Job } from "../jobs/job.ts";
import { operationOf } from "../operations/registry.ts";
import type { MakingParts } from "./command.ts";

/**
 * Deletes at the service first: what fails there is still listed here.
 * @returns false when it is still there, because the service offers no way to delete it
 */
export async function deleteJob(
  parts: Pick<MakingParts, "accounts" | "ledger" | "surfaces" | "log">,
  job: Job,
): Promise<boolean> {
  const { remove } = operationOf(job.operation);
  if (job.serviceId !== null && remove) {
    const account = await parts.accounts.of(job);
    await remove(account.api(), job.serviceId).catch((error: unknown) => {
      // Deleted elsewhere, or kept no longer: what was wanted.
      if (!(error instanceof NotFound)) throw error;
    });
  }
  await parts.ledger.remove(job.id);
  await replaceMessage(parts, job);
  return job.serviceId === null || remove !== null;
}

/** What is shown instead of a job that is gone. */
export function deletedNotice(job: Job): NoticeView {
  return { kind: "notice", text: { key: "job.deleted" }, job: summaryOf(job) };
}

/** Takes away what was posted of a job that goes, as far as its platform lets that happen. */
export async function replaceMessage(
  { surfaces, log }: Pick<MakingParts, "surfaces" | "log">,
  job: Job,
): Promise<void> {
  const { id, surface, receipt } = job;
  if (!receipt) return;
  await surfaces
    .of(surface)
    .revise(receipt, deletedNotice(job))
    .catch((error: unknown) => {
      log.warn({ err: error, job: id }, "The message of a deleted job could not be replaced");
    });
}
