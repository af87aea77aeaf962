import { NotFound } from "../api/media-api.ts";
import type { Job } from "../jobs/job.ts";
import { operationOf } from "../operations/registry.ts";
import type { Context } from "./command.ts";

/** Deletes at the service first: what fails there is still listed here. */
export async function deleteJob({ accounts, ledger, surfaces, log }: Context, job: Job): Promise<void> {
  if (job.serviceId !== null) {
    const account = await accounts.of(job.user, job.keyId);
    await operationOf(job.operation)
      .remove(account.api(), job.serviceId)
      .catch((error: unknown) => {
        // Deleted elsewhere, or kept no longer: what was wanted.
        if (!(error instanceof NotFound)) throw error;
      });
  }
  await ledger.remove(job.id);
  if (!job.receipt) return;
  const view = { kind: "notice", text: { key: "job.deleted" } } as const;
  await surfaces
    .of(job.surface)
    .revise(job.receipt, view)
    .catch((error: unknown) => {
      log.warn({ err: error, job: job.id }, "The message of a deleted job could not be replaced");
    });
}
