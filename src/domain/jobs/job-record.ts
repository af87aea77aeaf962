import {
  JOB_STATUSES,
  type JobPhase,
  type JobRecord,
  type JobStatus,
  NO_OUTLOOK,
} from "../../seam/access/job-record.ts";
import type { Job } from "./job.ts";
import { phaseOf } from "./job-view.ts";

const ON_THE_WAY = ["none", "due", "delivering"] as const;
const ANYWHERE = [...ON_THE_WAY, "delivered", "undeliverable"] as const;

/** What a job can be when its status is one of these. Made and delivered are two facts: it takes both to be completed. */
export const MEANT_BY: Readonly<
  Record<
    JobStatus,
    readonly { readonly state: readonly Job["state"][]; readonly delivery: readonly Job["delivery"][] }[]
  >
> = {
  queued: [{ state: ["queued"], delivery: ANYWHERE }],
  running: [
    { state: ["submitting", "unsure", "running"], delivery: ANYWHERE },
    { state: ["completed"], delivery: ON_THE_WAY },
  ],
  completed: [{ state: ["completed"], delivery: ["delivered"] }],
  failed: [
    { state: ["failed"], delivery: ANYWHERE },
    { state: ["completed"], delivery: ["undeliverable"] },
  ],
  cancelled: [{ state: ["cancelled"], delivery: ANYWHERE }],
};

/** A job as its owner's platform may read it. @param outlook left out where nobody waits for it */
export function recordOf(job: Job, outlook = NO_OUTLOOK): JobRecord {
  const { id, user, operation, values, tags, mature, address, receipt } = job;
  const { progress, createdAt, acceptedAt, endedAt } = job;
  // Made, but what was made reached nobody.
  const error =
    job.error ?? (job.delivery === "undeliverable" ? ({ code: "undeliverable", params: {} } as const) : null);
  return {
    id,
    user,
    operation,
    values,
    tags,
    mature,
    address,
    receipt,
    status: statusOf(job),
    phase: jobPhaseOf(job),
    progress,
    cost: job.cost,
    problem: error,
    createdAt,
    acceptedAt,
    endedAt,
    ...outlook,
  };
}

function statusOf({ state, delivery }: Job): JobStatus {
  const isMeant = (status: JobStatus) =>
    MEANT_BY[status].some((meant) => meant.state.includes(state) && meant.delivery.includes(delivery));
  return JOB_STATUSES.find(isMeant) ?? "running";
}

function jobPhaseOf(job: Job): JobPhase {
  const status = statusOf(job);
  return status === "queued" || status === "running" ? phaseOf(job) : status;
}
