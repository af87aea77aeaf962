import { ReelayError } from "../../common/errors.ts";
import type { Job } from "../jobs/job.ts";
import type { Ledger } from "../jobs/ledger.ts";
import { applyAsItIs } from "./as-it-is.ts";
import { currentTime } from "../../common/time.ts";

/**
 * Takes a job out of the queue; nothing has been charged yet. One that was taken out already stays so.
 * @throws ReelayError `job_started` when it is too late
 */
export async function cancelJob(ledger: Ledger, { id }: Pick<Job, "id">): Promise<void> {
  const job = await applyAsItIs(ledger, id, ({ state }) =>
    state === "queued" ? { type: "cancelled", at: currentTime() } : undefined,
  );
  if (job?.state !== "cancelled") throw new ReelayError("job_started");
}
