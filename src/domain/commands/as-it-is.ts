import { setTimeout as sleep } from "node:timers/promises";
import { IllegalTransition, type Job, type Transition } from "../jobs/job.ts";
import type { Ledger } from "../jobs/ledger.ts";

/** After so long what another process wrote is read for certain, in milliseconds. */
const READ_MS = 25;

/**
 * Does what somebody wants of a job to it as it is: what they saw may have changed, and may be changing at this very moment.
 * @param wanted what is to happen to the job as it is; undefined where nothing is
 * @returns the job as it is then; undefined where it is gone
 */
export async function applyAsItIs(
  ledger: Pick<Ledger, "apply" | "find">,
  id: string,
  wanted: (job: Job) => Transition | undefined,
): Promise<Job | undefined> {
  for (;;) {
    const job = await ledger.find(id);
    const event = job && wanted(job);
    if (!job || !event) return job;
    try {
      return await ledger.apply(job, event);
    } catch (error) {
      if (!(error instanceof IllegalTransition)) throw error;
      await sleep(READ_MS);
    }
  }
}
